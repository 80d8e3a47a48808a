"""A forum on the page, on a desktop and on a phone: a post is written, the panel is asked about its message, the team votes and
records a decision, the post's tag follows, and what goes on from it gets a post of its own.

    forum.py URL
    PAGE_SCREENSHOTS=folder     keeps pictures (default: a temporary folder)

The bot must be connected and its models must answer. The last line is `N passed, N failed`.
"""

import votes
from checks import CARD, Checks, begin
from votes import PANEL, PRIVATE, answered, fill, pick, submit, verb
from webdriver import ESCAPE, Browser, Failure

QUESTION = "Should we deliver food in a town of 40,000?"
ABOUT = "We could begin in May, with four riders."
TAGGED = "return [...document.querySelectorAll('.post')].find((node) => node.textContent.includes(arguments[0]))?.querySelector('[data-tag]')?.dataset.tag === arguments[1]"


class Forum(Checks):
    """The checks, in the order in which a team would do these things."""

    def run(self):
        for phone, scheme in ((False, "dark"), (True, "light")):
            width, height = (390, 844) if phone else (1280, 900)
            with Browser(width, height, phone=phone) as self.browser:
                self.phone = phone
                self.size = "phone" if phone else "desktop"
                self.title = f"Delivery, asked on a {self.size}"
                self.look = self.fits if phone else self.picture
                self.browser.prefer(scheme)
                for name in ("opens", "refused", "writes", "asks", "votes", "decides", "tagged", "goes_on", "console"):
                    self.check(f"{self.size}: {name.replace('_', ' ')}", getattr(self, name))

    def cut(self, name, *selectors):
        """The pictures of README are made elsewhere."""

    def opens(self):
        """A forum shows its posts; nothing can be written in it but one more."""
        browser = self.browser
        browser.open(self.url)
        browser.wait("the bot to be online", "return document.getElementById('banner')?.hidden", seconds=60)
        if self.phone:
            browser.click(".drawer-button")
            browser.wait("the drawer", "return document.getElementById('drawer').getBoundingClientRect().left === 0")
        browser.click(".channel", "ideas")
        browser.find(".intro", "A post for each idea")
        browser.find("#new-post")
        if browser.script("return document.getElementById('composer-text').checkVisibility()"):
            raise Failure("a message can be written where there are only posts")
        self.look(f"forum-{self.size}-posts")

    def refused(self):
        """What is not complete is not sent, and what was typed stays."""
        browser = self.browser
        browser.click("#new-post")
        browser.find("dialog.modal")
        fill(self, "title", self.title)
        browser.click("dialog .button", "Post")
        browser.find("dialog .form-error", "must be filled in")
        if browser.script("return document.querySelector('dialog [name=title]').value") != self.title:
            raise Failure("what was typed is lost")

    def writes(self):
        browser = self.browser
        fill(self, "content", f"{QUESTION} {ABOUT}")
        self.look(f"forum-{self.size}-form")
        self.accessible()
        browser.click("dialog .button", "Post")
        browser.wait("the form to close", "return !document.querySelector('dialog.modal')")
        browser.wait("the post", "return document.querySelector('.crumb')")
        browser.find(CARD, ABOUT)
        self.address = browser.script("return location.hash")

    def asks(self):
        """The panel is asked about the post's message, which a select says in what way; the post is the session's place."""
        browser = self.browser
        before = browser.count(PRIVATE)
        browser.click(f"{CARD} .{'more' if self.phone else 'apps'}-button")
        browser.click(".menu .menu-entry", "Ask the panel about this message")
        answered(self, before)
        browser.find(f"{PRIVATE} .select", "Choose what it is for")
        self.look(f"forum-{self.size}-choice")
        browser.click(f"{PRIVATE} .select")
        browser.click("[role=option]", "/mediate")
        browser.find(PRIVATE, "It has begun", seconds=30)
        browser.find(PANEL, seconds=90)
        browser.find(f"{CARD} .embed", ABOUT)

    def votes(self):
        browser = self.browser
        before = browser.count(PRIVATE)
        shown = browser.script(votes.TURNOUT, PANEL)
        browser.script("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", f"{PANEL} .select")
        votes.choose(self, PANEL, "vote_all", 1)
        votes.counted(self, before)
        votes.moved(self, shown)
        self.look(f"forum-{self.size}-vote")
        self.wait_tag("Voting")
        browser.click(f"{PANEL} {verb('vote_close')}")
        browser.click(f"{PRIVATE} {verb('vote_close_sure')}")
        browser.find(verb("decide"), seconds=30)

    def decides(self):
        """The form of a decision, filled in and refused and sent, whatever the size of the screen."""
        browser = self.browser
        browser.click(verb("decide"))
        browser.find("dialog.modal")
        pick(self, "solution", "S2")
        pick(self, "member", "Ben")
        fill(self, "why", votes.WHY)
        fill(self, "review", "next spring")
        self.look(f"forum-{self.size}-decide")
        before = browser.count(PRIVATE)
        submit(self)
        said = answered(self, before)
        if "no date I can read" not in said or votes.WHY not in said:
            raise Failure(f"a date nobody can read is answered with {said[:200]}")
        browser.click(f"{PRIVATE} {verb('decide')}")
        browser.find("dialog.modal")
        fill(self, "review", "in 3 months")
        submit(self)
        browser.find(".message:not(.ephemeral) .embed", votes.WHY, seconds=30)
        self.look(f"forum-{self.size}-decision")

    def wait_tag(self, tag):
        """Waits until the open post carries a tag, by its header, which shows it where there is room."""
        carried = "return document.querySelector('#channel-header [data-tag]')?.dataset.tag === arguments[0]"
        self.browser.wait(f"the tag {tag}", carried, tag, seconds=30)

    def tagged(self):
        """The tag says what became of it, in the post and in the list."""
        browser = self.browser
        self.wait_tag("Decided")
        browser.click(".crumb")
        browser.wait("the tag in the list", TAGGED, self.title, "Decided")
        self.look(f"forum-{self.size}-decided")

    def goes_on(self):
        """What goes on from a session in a post is a post of its own."""
        browser = self.browser
        posts = browser.count(".post")
        browser.click(".post .thread-card", self.title)
        browser.wait("the post", "return document.querySelector('.crumb')")
        button = f"{CARD} {verb('go_on')}"
        browser.find(button, seconds=30)
        browser.script("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", button)
        before = browser.count(PRIVATE)
        browser.click(button)
        answered(self, before)
        browser.click(f"{PRIVATE} .select")
        browser.click("[role=option]", "/debate")
        browser.find(PRIVATE, "It has begun", seconds=30)
        browser.click(".crumb")
        browser.wait("a post of its own", "return document.querySelectorAll('.post').length > arguments[0]", posts, seconds=30)
        browser.press(ESCAPE)
        self.look(f"forum-{self.size}-own")
        # The newest stands first, and is the bot's.
        browser.click(".post:nth-child(2) .thread-card", "Quorum")
        browser.find(f"{CARD} .embed", "Goes on from", seconds=30)
        self.look(f"forum-{self.size}-goes-on")


begin(Forum)
