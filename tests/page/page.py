"""Drives the playground's page against a running playground and bot, as people would.

    page.py URL                 or  PLAYGROUND_URL=... page.py
    PAGE_SCREENSHOTS=folder     keeps pictures (default: a temporary folder)
    PAGE_CARDS_SECONDS=n        how long a whole session may take (default 120)
    PAGE_DATABASE=file          the bot's database, so that the day of a review can come at once

The bot must be connected and its models must answer, slowly enough that a session is still
running a second after its thread appeared. The last line is `N passed, N failed`.
"""

import os

import roundtable
import votes
from checks import BOT_MESSAGE, COMPOSER, Checks, begin
from webdriver import DOWN, ENTER, ESCAPE, Browser, Failure

PROBLEM = "We want to build a food delivery app for a town of 40,000"
HOSTILE = '<img src=x onerror="document.title=1"><b>not bold</b> **bold** [x](javascript:alert(1))'
CARDS_SECONDS = int(os.environ.get("PAGE_CARDS_SECONDS", "120"))
FILLED = """
return [...document.querySelectorAll(`.command-form[data-command="${arguments[0]}"] [name]`)].some((node) => node.value.length > 40);
"""

class Page(Checks):
    """The checks, in the order in which somebody new would do these things."""

    def __init__(self, url, pictures):
        super().__init__(url, pictures)
        self.other = None
        self.address = None
        self.roundtable = None

    def run(self):
        with Browser(1280, 900) as self.browser:
            self.browser.prefer("dark")
            self.browser.open(self.url)
            for name in ("opens", "tries", "theme", "members", "refusal", "picker", "box", "command", "thread",
                         "context", "cards", "private", "stranger", "follow_up", "chart"):
                self.check(name.replace("_", " "), getattr(self, name))
            votes.run(self)
            for name in ("hostile", "reload"):
                self.check(name, getattr(self, name))
            roundtable.run(self)
            self.check("console", self.console)
        with Browser(390, 844, phone=True) as self.browser:
            self.browser.prefer("light")
            for name in ("phone_channel", "phone_thread", "phone_vote", "phone_roundtable", "phone_command", "console"):
                self.check(name.replace("_", " "), getattr(self, name))

    def tries(self):
        browser = self.browser
        if (many := browser.count("[data-try]")) != 4:
            raise Failure(f"there are {many} things to try")
        self.picture("desktop-welcome")
        for name in ("mediate", "roundtable", "debate", "critique"):
            browser.click(f'[data-try="{name}"]')
            browser.find(f'.command-form[data-command="{name}"]')
            # The words are there to be read, and nothing was sent.
            browser.wait("the words of it", FILLED, name)
            browser.press(ESCAPE)
            browser.wait("the message box again", "return !document.querySelector('.command-form')")
        # A form that is closed keeps what was typed; the next ones begin anew.
        browser.open(self.url)
        self.opens()

    def theme(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        dark = self.browser.script(ground)
        self.browser.prefer("light")
        light = self.browser.script(ground)
        if dark == light:
            raise Failure(f"dark and light system look the same: {dark}")
        self.picture("desktop-light")
        self.browser.click('[data-action="theme"]')
        if self.browser.script(ground) != dark:
            raise Failure("the toggle did not go from light to dark")

    def members(self):
        browser = self.browser
        first = browser.text(".who strong")
        browser.click('[data-action="switch-member"]')
        browser.find(".menu-entry[data-user-id]")
        self.picture("desktop-members")
        others = "return [...document.querySelectorAll('.menu-entry[aria-checked=false]')].map((node) => node.dataset.userId)"
        self.other = browser.script(others)[0]
        browser.click(f'.menu-entry[data-user-id="{self.other}"]')
        browser.wait("another member's name", "return document.querySelector('.who strong').textContent !== arguments[0]", first)
        browser.click('[data-action="switch-member"]')
        browser.click(".menu-entry", first)
        browser.wait("the first member again", "return document.querySelector('.who strong').textContent === arguments[0]", first)

    def picker(self):
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/")
        browser.find('.suggestion[data-command="mediate"]', seconds=30)
        self.picture("desktop-picker")
        browser.type(COMPOSER, "medi")
        browser.press(ENTER)
        browser.find('.command-form[data-command="mediate"] [name="problem"]')

    def refusal(self):
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/ask ")
        browser.find('.command-form[data-command="ask"] [name="question"]')
        browser.press(ENTER)
        browser.find("#composer > .form-error", "question")
        browser.find('.command-form [name="question"][aria-invalid="true"]')
        browser.press(ESCAPE)
        browser.wait("the message box again", "return !document.querySelector('.command-form')")

    def box(self):
        """Without its text, a command asks for it in a form with a large box; closed, nothing is started."""
        browser = self.browser
        threads = browser.count(".thread-card")
        browser.press(ENTER)
        browser.find("dialog.modal textarea[required]")
        browser.find("dialog.modal", "The problem (up to 4,000 characters)")
        self.picture("desktop-box")
        self.accessible()
        browser.press(ESCAPE)
        browser.wait("the form to close", "return !document.querySelector('dialog')")
        if browser.count(".thread-card") != threads:
            raise Failure("a session was started")
        self.picker()

    def command(self):
        browser = self.browser
        browser.type('.command-form [name="problem"]', PROBLEM)
        browser.click('[data-add-option="modules"]')
        browser.type('.command-form [name="modules"]', "mar")
        browser.find(".suggestion", "market")
        browser.press(DOWN)
        self.picture("desktop-form")
        browser.press(ESCAPE)
        browser.click('.chip[data-option="modules"] button[aria-label^="Remove"]')
        browser.click('.command-form [name="problem"]')
        before = browser.count(".thread-card")
        browser.press(ENTER)
        browser.wait("a thread to be opened", "return document.querySelectorAll('.thread-card').length > arguments[0]", before, seconds=30)
        if browser.count(".command-form"):
            raise Failure("the form stayed open after the command was sent")
        self.picture("desktop-started")

    def thread(self):
        self.browser.click(".message .thread-card")
        self.address = self.browser.wait("the thread's address", "return /^#\\/\\d+$/.test(location.hash) && document.querySelector('.crumb') && location.hash")
        self.browser.find(f"{BOT_MESSAGE} .component-row .button", seconds=30)

    def context(self):
        browser = self.browser
        enabled = "return [...document.querySelectorAll('.component-row .button:not(:disabled)')].some((node) => node.textContent.includes('Add context'))"
        browser.wait("an enabled “Add context” (a session that is over has none: the scripted model needs a delay)", enabled)
        browser.click(".component-row .button:not(:disabled)", "Add context")
        browser.find("dialog.modal")
        browser.click("dialog .button", "Submit")
        browser.find("dialog .form-error", "must be filled in")
        self.picture("desktop-modal")
        browser.type("dialog [required]", "The nearest rival is 25 km away.")
        browser.click("dialog .button", "Submit")
        browser.wait("the form to close", "return !document.querySelector('dialog')")
        # The card stands in the channel above; its answer is looked for where the button was pressed.
        browser.find(".message.ephemeral", "Noted.")

    def cards(self):
        many = "return document.querySelectorAll('#messages .embed').length >= 5"
        self.browser.wait("the cards of the first round", many, seconds=CARDS_SECONDS)
        self.picture("desktop-cards")

    def private(self):
        browser = self.browser
        # Any card's own button will do; the status card's change the session.
        pick = """
        const cards = [...document.querySelectorAll('.message:has(.embed)')];
        const quiet = /pause|resume|cancel|context/i;
        for (const card of cards) {
          const buttons = [...card.querySelectorAll('button.button:not(:disabled)')];
          if (buttons.length === 0 || buttons.some((node) => quiet.test(node.textContent))) continue;
          buttons[0].scrollIntoView({ block: 'center' });
          return buttons[0].dataset.customId;
        }
        return null;
        """
        custom_id = browser.wait("a card with a button of its own", pick, seconds=CARDS_SECONDS)
        before = browser.count(".message.ephemeral")
        browser.click(f'[data-custom-id="{custom_id}"]')
        browser.wait("a private reply", "return document.querySelectorAll('.message.ephemeral').length > arguments[0]", before)
        browser.find(".message.ephemeral", "Only you can see this")
        self.picture("desktop-private")

    def stranger(self):
        browser = self.browser
        me = browser.text(".who strong")
        browser.click('[data-action="switch-member"]')
        browser.click(f'.menu-entry[data-user-id="{self.other}"]')
        browser.wait("another member", "return document.querySelector('.who strong').textContent !== arguments[0]", me)
        if browser.script("return location.hash") == self.address:
            browser.find(f"{BOT_MESSAGE} .embed")
            if browser.count(".message.ephemeral"):
                raise Failure("another member sees a private reply")
        browser.click('[data-action="switch-member"]')
        browser.click(".menu-entry", me)
        browser.find(".message.ephemeral", "Only you can see this")
        browser.click(".message.ephemeral .link", "Dismiss")
        browser.wait("the private reply to go", "return document.querySelectorAll('.message.ephemeral .link').length < 2")

    def follow_up(self):
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, "@quo")
        browser.find(".suggestion", "Quorum")
        browser.press(ENTER)
        browser.type(COMPOSER, "which of the risks is the worst?")
        browser.press(ENTER)
        browser.find(".message .mention", "@Quorum")
        answered = """
        const all = [...document.querySelectorAll('#messages .message')];
        const question = all.findLastIndex((node) => node.textContent.includes('which of the risks is the worst?') && node.querySelector('.mention') && !node.querySelector('.message-byline .app-tag'));
        return question !== -1 && all.slice(question + 1).some((node) => node.querySelector('.message-byline .app-tag') && !node.querySelector('.thinking'));
        """
        browser.wait("an answer to the follow-up", answered, seconds=CARDS_SECONDS)

    def chart(self):
        browser = self.browser
        drawn = "return [...document.querySelectorAll('.picture img')].some((node) => (node.loading = 'eager', node.complete && node.naturalWidth > 0 && node.alt))"
        browser.wait("the points as a picture with a description", drawn, seconds=CARDS_SECONDS)
        browser.click(".picture")
        browser.find("dialog.lightbox img")
        self.picture("desktop-chart")
        browser.press(ESCAPE)
        browser.wait("the picture to close", "return !document.querySelector('dialog')")

    def hostile(self):
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, HOSTILE)
        browser.press(ENTER)
        browser.find(".message", "not bold</b>")
        if browser.count("#messages [onerror], #messages script, #messages b, #messages a[href^=javascript]"):
            raise Failure("text of a member became markup")

    def reload(self):
        browser = self.browser
        browser.reload()
        browser.find(".message", "not bold</b>")
        if browser.script("return location.hash") != self.address:
            raise Failure("the reload did not come back to the thread")

    def phone_channel(self):
        browser = self.browser
        browser.open(self.url)
        browser.find(COMPOSER, seconds=30)
        browser.wait("messages or the beginning of the channel", "return document.querySelector('#messages li')")
        self.fits("phone-channel")
        browser.click(".drawer-button")
        browser.wait("the drawer", "return document.getElementById('drawer').getBoundingClientRect().left === 0")
        self.fits("phone-drawer")
        browser.click(".channel[aria-current]")
        browser.wait("the drawer to close", "return document.getElementById('drawer').getBoundingClientRect().right <= 0")

    def phone_thread(self):
        browser = self.browser
        self.visit(self.address)
        self.fits("phone-thread-end")
        browser.script("document.getElementById('timeline').scrollTop = 0")
        self.fits("phone-thread-top")

    def phone_vote(self):
        self.visit(self.address)
        votes.phone(self)
        self.browser.prefer("dark")
        votes.phone(self)
        self.browser.prefer("light")

    def phone_roundtable(self):
        self.visit(self.roundtable)
        roundtable.phone(self)

    def phone_command(self):
        browser = self.browser
        browser.click("button.slash")
        browser.click('.suggestion[data-command="mediate"]')
        browser.click('[data-add-option="modules"]')
        browser.find('.command-form [name="modules"]')
        self.fits("phone-form")


begin(Page)
