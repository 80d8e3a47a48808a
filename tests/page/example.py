"""What a newcomer to a playground sees: the page opens on #example, whose thread can be read and pressed on.

    example.py URL
    PAGE_SCREENSHOTS=folder     keeps pictures (default: a temporary folder)

The last line is `N passed, N failed`.
"""

from checks import CARD, SHOW, Checks, begin
from votes import PRIVATE, answered, verb
from webdriver import Browser, Failure

SYNTHESIS = f"{CARD}:has([data-custom-id$=':whole:synthesis'])"
# Whether a message that says this is on the screen as it is, without scrolling.
SEEN = """
const nodes = [...document.querySelectorAll('.message')].filter((node) => node.textContent.includes(arguments[0]));
const frame = document.getElementById('timeline').getBoundingClientRect();
const place = nodes.at(-1)?.getBoundingClientRect();
return Boolean(place) && place.top >= frame.top && place.bottom <= frame.bottom + 1;
"""
# Each with a text that has to stand there.
PLACES = [
    ("problem", CARD, "Four of us left"),
    ("first", CARD, "Operational · round 1"),
    ("revised", CARD, "Market · round 2"),
    ("synthesis", SYNTHESIS, "Open between the specialists"),
    ("points", CARD, "24 of 40 points"),
    ("decision", CARD, "Chloé calls the other 18 offices"),
]


class Example(Checks):
    """The checks: on a desktop, then on a phone."""

    def run(self):
        for phone, scheme in ((False, "dark"), (True, "light")):
            # Each has an empty profile, as a newcomer has.
            width, height = (390, 844) if phone else (1280, 900)
            with Browser(width, height, phone=phone) as self.browser:
                self.browser.prefer(scheme)
                look = self.fits if phone else self.picture
                size = "phone" if phone else "desktop"
                self.check(f"{size}: welcome", lambda look=look, size=size: self.welcome(look, size))
                self.check(f"{size}: follow-up", lambda look=look, size=size: self.goes_on(look, size))
                self.check(f"{size}: thread", lambda look=look, size=size: self.thread(look, size))
                self.check(f"{size}: a press", self.press)
                self.check(f"{size}: console", self.console)

    def welcome(self, look, size):
        """The page opens where the example is, though nobody has chosen a channel, and says what it is."""
        self.browser.open(self.url)
        self.browser.find(".message .thread-card")
        self.browser.wait("the welcome", SEEN, "This is an example to look at")
        look(f"example-{size}-welcome")

    def goes_on(self, look, size):
        """What it left open can be chosen to go on with: a conflict, a fact, a solution, the whole."""
        before = self.browser.count(PRIVATE)
        self.browser.click(f"{CARD} {verb('go_on')}")
        said = answered(self, before)
        if "Both threads link to one another" not in said:
            raise Failure(f"nothing is offered to go on with: {said[:200]}")
        look(f"example-{size}-follow-up")

    def thread(self, look, size):
        self.browser.click(".message .thread-card")
        self.browser.wait("the thread", "return document.querySelector('.crumb')")
        for place, selector, text in PLACES:
            self.browser.wait(place, SHOW, selector, text, seconds=30)
            look(f"example-{size}-{place}")

    def press(self):
        before = self.browser.count(PRIVATE)
        self.browser.click(f"{SYNTHESIS} {verb('whole')}")
        said = answered(self, before)
        if "138 boxes" not in said:
            raise Failure(f"the whole memo is not: {said[:200]}")


begin(Example)
