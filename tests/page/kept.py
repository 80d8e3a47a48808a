"""What comes after a deliberation on the page, and around it: fitting specialists join a /mediate, its report and its
audit; an /investigate; what /history opens, exports and deletes; and what /privacy says and deletes.

    kept.py URL
    PAGE_SCREENSHOTS=folder     keeps pictures (default: a temporary folder)

tests/page/kept.rs says what the models answer. The last line is `N passed, N failed`.
"""

from checks import CARD, SAYS, SHOW, Checks, begin
from votes import COMPOSER, PANEL, PRIVATE, answered, verb
from webdriver import ENTER, Browser, Failure

HENS = (
    "We are nine sisters in a convent that keeps two hundred hens. The bishop wants the meadow for a school, and the hens "
    "would have to go. What should we do with the meadow and the hens?"
)
VANS = (
    "Courier or two vans for 900 deliveries a month: which costs less in three years? The courier takes 6.40 a delivery, "
    "a van 575 a month, a part-time driver 1,950."
)
STATUS = f"{CARD}:has({verb('export')})"
REPORT = f"{CARD}:has(.file-card)"
ANSWER = f"{CARD}:has([data-custom-id$=':whole:answer'])"
HISTORY = f"{PRIVATE}:has({verb('history_pick')})"
FILES = """
const [selector] = arguments;
const cards = [...document.querySelectorAll(selector)].at(-1)?.querySelectorAll('.file-card a') ?? [];
return [...cards].map((node) => node.getAttribute('href'));
"""


class Kept(Checks):
    """The checks, in the order in which a team would do these things."""

    def __init__(self, url, pictures):
        super().__init__(url, pictures)
        self.hens = None
        self.vans = None

    def run(self):
        with Browser(1280, 900) as self.browser:
            self.browser.prefer("dark")
            self.browser.open(self.url)
            for name in ("command", "offered", "not_mine", "join", "joined", "report", "audit", "investigate", "answer", "behind",
                         "calls", "history", "found", "again", "keep", "delete", "privacy", "forget", "nothing", "console"):
                self.check(name.replace("_", " "), getattr(self, name))
        with Browser(390, 844, phone=True) as self.browser:
            for scheme in ("light", "dark"):
                self.browser.prefer(scheme)
                self.check(f"phone {scheme}", lambda scheme=scheme: self.phone(scheme))
            self.check("phone console", self.console)

    def told(self, text, *words):
        """Fails where a text lacks any of these."""
        for word in words:
            if word not in text:
                raise Failure(f"“{word}” is not in: {text[:500]}")

    def call(self, command, **options):
        """Fills in a command's form and sends it; gives how many private answers there were before."""
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, f"/{command} ")
        browser.find(f'.command-form[data-command="{command}"]')
        for name, value in options.items():
            if not browser.count(f'.command-form [name="{name}"]'):
                browser.click(f'[data-add-option="{name}"]')
            browser.type(f'.command-form [name="{name}"]', value)
        before = browser.count(PRIVATE)
        browser.press(ENTER)
        return before

    def press(self, selector):
        """Presses a button that has a private answer; gives it."""
        before = self.browser.count(PRIVATE)
        self.browser.click(selector)
        return answered(self, before)

    def enter(self, text):
        """Opens the thread whose card in the channel says this."""
        self.browser.click(".message .thread-card", text)
        self.browser.wait("the thread", "return document.querySelector('.crumb')")
        return self.browser.script("return location.hash")

    def leave(self):
        self.browser.click(".crumb")
        self.browser.wait("the channel", "return !document.querySelector('.crumb')")

    def command(self):
        self.browser.find(COMPOSER, seconds=30)
        self.act_as("Ada")
        self.browser.wait("the bot to be online", "return document.getElementById('banner').hidden", seconds=60)
        self.call("mediate", problem=HENS)
        # The only thread; it may be named after its question before anybody sees it under another name.
        self.hens = self.enter("")

    def offered(self):
        self.leave()
        self.browser.find(f"{CARD} {verb('choose')}", seconds=60)
        self.says("Do these modules fit?")
        self.browser.wait("the live card", SHOW, CARD, "Do these modules fit?")
        self.picture("kept-offered")

    def not_mine(self):
        self.act_as("Ben")
        self.told(self.press(f"{CARD} {verb('choose')}"), "started")
        self.act_as("Ada")

    def join(self):
        self.told(self.press(f"{CARD} {verb('choose')}"), "as soon as round 1 has ended")
        self.browser.wait("the button to go", f"return !document.querySelector(`{verb('choose')}`)")
        # By now the only thread may be named after its question.
        self.enter("")

    def joined(self):
        self.says("Who looks at it · 3 join")
        self.browser.wait("who joined", SHOW, CARD, "Who looks at it")
        self.picture("kept-joined")
        self.browser.find(PANEL, seconds=90)
        self.says("Animal welfare · round 2")
        # The live card stands in the channel; the closing lines are the thread's own.
        self.browser.find(STATUS, seconds=60)

    def report(self):
        self.told(self.press(f"{STATUS} {verb('export')}"), "report")
        self.says("The report", where=REPORT)
        files = self.browser.wait("three files", FILES, REPORT, seconds=30)
        if len(files) != 3:
            raise Failure(f"there are {len(files)} files")
        page = self.browser.script("return fetch(arguments[0]).then((reply) => reply.text())", files[2])
        self.told(page, "Animal welfare", "smaller flock", "</html>")
        self.browser.wait("the report", SHOW, REPORT, "The report")
        self.picture("kept-report")

    def audit(self):
        self.told(self.press(f"{CARD} {verb('audit')}"), "udit")
        self.says("of 100", seconds=90)
        self.browser.wait("the audit", SHOW, CARD, "of 100")
        self.picture("kept-audit")

    def investigate(self):
        self.leave()
        self.call("investigate", question=VANS)
        self.vans = self.enter("Courier")

    def answer(self):
        self.browser.find(ANSWER, seconds=90)
        self.says("25,560", where=ANSWER)
        self.says("How sure", where=ANSWER)
        self.browser.find(PANEL, seconds=60)
        if self.browser.script(SAYS, ANSWER, "31 %") and not self.browser.script(SAYS, ANSWER, "one scout alone"):
            raise Failure("what one scout alone says stands in the answer as a fact")
        self.cut("readme-investigate", ANSWER)
        self.browser.wait("the answer", SHOW, ANSWER, "25,560")
        self.picture("kept-answer")

    def behind(self):
        self.told(self.press(f"{ANSWER} [data-custom-id$=':whole:answer']"), "5,760")
        self.browser.wait("the whole answer", SHOW, PRIVATE, "5,760")
        self.picture("kept-whole-answer")

    def calls(self):
        self.says("What the investigator did")
        self.browser.wait("the calls", SHOW, CARD, "What the investigator did")
        self.picture("kept-calls")

    def history(self):
        self.leave()
        said = answered(self, self.call("history"))
        self.told(said, "Do we give the meadow", "Courier or two vans")
        self.browser.wait("the list", SHOW, HISTORY, "Courier")
        self.picture("kept-history")

    def found(self):
        said = answered(self, self.call("history", search="smaller flock"))
        self.told(said, "One session", "flock")
        self.browser.wait("what was found", SHOW, HISTORY, "One session")
        self.picture("kept-found")

    def pick(self, text):
        """Chooses a session in the last list."""
        browser = self.browser
        browser.click(f"{HISTORY} .select{verb('history_pick')}")
        browser.click(".listbox .menu-entry", text)
        browser.find(f"{PRIVATE} {verb('history_delete')}")

    def again(self):
        """Opened and exported from the list."""
        self.pick("Do we give the meadow")
        self.picture("kept-picked")
        before = self.browser.count(PRIVATE)
        self.browser.click(f"{PRIVATE} {verb('history_export')}")
        self.told(answered(self, before), "report")
        self.browser.find(f"{PRIVATE} .embed a", "Open")

    def keep(self):
        self.browser.click(f"{PRIVATE} {verb('history_delete')}")
        self.says("Delete this session?", where=PRIVATE)
        self.picture("kept-sure")
        self.browser.click(f"{PRIVATE} .component-row .button", "Keep it")
        self.browser.find(f"{PRIVATE} {verb('history_delete')}")

    def delete(self):
        self.browser.click(f"{PRIVATE} {verb('history_delete')}")
        self.browser.find(f"{PRIVATE} {verb('history_delete_sure')}")
        self.told(self.press(f"{PRIVATE} {verb('history_delete_sure')}"), "Deleted")
        said = answered(self, self.call("history"))
        if "Do we give the meadow" in said:
            raise Failure("what was deleted is still in the list")

    def privacy(self):
        said = answered(self, self.call("privacy"))
        self.told(said, "1 session started", "For how long")
        self.browser.wait("what is kept", SHOW, PRIVATE, "For how long")
        self.picture("kept-privacy")

    def forget(self):
        self.browser.click(f"{PRIVATE} {verb('forget_me')}")
        self.says("Gone for good", where=PRIVATE)
        self.picture("kept-forget")
        self.told(self.press(f"{PRIVATE} {verb('forget_me_sure')}"), "being deleted")

    def nothing(self):
        for _ in range(20):
            said = answered(self, self.call("privacy"))
            if "Nothing." in said:
                return
        raise Failure(f"something is left: {said[:300]}")

    def phone(self, scheme):
        browser = self.browser
        for name, address, selector in (("joined", self.hens, CARD), ("answer", self.vans, ANSWER)):
            if not address:
                raise Failure("there is no thread to open")
            browser.open("about:blank")
            browser.open(self.url + address)
            browser.find(selector, seconds=30)
            text = "Who looks at it" if name == "joined" else "25,560"
            browser.wait(f"{name} on a phone", SHOW, selector, text)
            self.fits(f"phone-kept-{name}-{scheme}")
        browser.open("about:blank")
        browser.open(self.url)
        browser.find(COMPOSER, seconds=30)
        browser.click("button.slash")
        browser.click('.suggestion[data-command="history"]')
        browser.click(".command-form .send")
        browser.find(PRIVATE, seconds=30)
        self.fits(f"phone-kept-history-{scheme}")


begin(Kept)
