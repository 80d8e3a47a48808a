"""Drives the parts of the page that a vote needs, against a playground with a small bot that stands in for Quorum.

    parts.py URL
    PAGE_SCREENSHOTS=folder     keeps pictures (default: a temporary folder)

tests/page/fake.rs is that bot. The last line is `N passed, N failed`.
"""

import pathlib
import tempfile

from checks import Checks, begin
from webdriver import ENTER, ESCAPE, Browser, Failure

COMPOSER = "#composer-text"
PANEL = ".message:has([data-custom-id='all'])"
PRIVATE = ".message.ephemeral"
ATTACHED = ".message:has(.file-card)"
TOP = "return document.querySelector(arguments[0]).getBoundingClientRect().top"
FOCUSED = "return document.activeElement.textContent"


class Parts(Checks):
    """The checks, in the order of a vote."""

    def run(self):
        with Browser(1280, 900) as self.browser:
            self.browser.prefer("dark")
            self.browser.open(self.url + "#/1100000000000000102")
            for name in ("panel", "names", "pinged", "by_select", "spreading", "members", "form", "pins",
                         "pinning", "picture_opens", "picker", "fields", "completion", "hidden_commands", "files", "apps", "reading", "light", "console"):
                self.check(name.replace("_", " "), getattr(self, name))
        with Browser(390, 844, phone=True) as self.browser:
            for scheme in ("light", "dark"):
                self.browser.prefer(scheme)
                self.browser.open("about:blank")
                self.browser.open(self.url + "#/1100000000000000102")
                self.check(f"phone {scheme}", lambda scheme=scheme: self.phone(scheme))
            self.check("phone console", self.console)

    def panel(self):
        self.browser.find(PANEL, seconds=30)
        self.act_as("Ada")
        self.browser.find(f"{PANEL} .button:disabled", "Close the vote")
        self.picture("parts-panel")

    def names(self):
        browser = self.browser
        browser.find(f"{PANEL} .embed-description .mention-role.mention-me", "@Product team")
        browser.find(f"{PANEL} .embed-description .mention", "@Dmitri")
        browser.find(f"{PANEL} .embed-description time[data-relative]")
        if browser.count(f"{PANEL} .embed-field time") != 2:
            raise Failure("the times in the fields are not drawn")

    def pinged(self):
        self.browser.find(".message.mentions-me", "Two hours left")

    def by_select(self):
        browser = self.browser
        browser.click(f"{PANEL} .select")
        browser.find(".listbox .menu-entry", "S2 · A partner")
        self.picture("parts-select")
        browser.click('.listbox .menu-entry[data-value="1"]')
        browser.find(PRIVATE, "All 10 points to it.")
        browser.find(f"{PANEL} .select-text", "S2 · A partner")
        browser.find(f"{PANEL} .embed", "1 of 3")

    def spreading(self):
        browser = self.browser
        browser.click('[data-custom-id="spread"]')
        panel = f"{PRIVATE}:has([data-custom-id^='pick:'])"
        browser.find(panel, "Left: 10")
        before = browser.script("return document.querySelectorAll('.message').length")
        top = browser.script(TOP, panel)
        browser.click(f"{panel} .button", "+1")
        browser.find(panel, "S1: 1")
        if browser.script(FOCUSED) != "+1":
            raise Failure(f"the focus went to {browser.script(FOCUSED)!r}")
        browser.press(ENTER)
        browser.find(panel, "S1: 2")
        browser.click(f"{panel} .select")
        browser.click('.listbox .menu-entry[data-value="2"]')
        browser.find(f"{panel} .select-text", "S3")
        browser.click(f"{panel} .button", "All that is left")
        browser.find(panel, "S3: 8")
        browser.find(f"{panel} .button:disabled", "+1")
        self.picture("parts-spread")
        if browser.script("return document.querySelectorAll('.message').length") != before:
            raise Failure("the private panel did not change in place")
        if abs(browser.script(TOP, panel) - top) > 1:
            raise Failure("the private panel moved on the screen")
        browser.click(f"{panel} .button", "Cast my vote")
        browser.find(PRIVATE, "Your vote is in.")
        # Reading further up: a private panel that changes below or above must not move what is read.
        browser.script("document.getElementById('timeline').scrollTop = 300")
        browser.wait("the end to be out of sight", "return !document.getElementById('jump').hidden")

    def members(self):
        browser = self.browser
        browser.script("document.getElementById('timeline').scrollTop = 1e6")
        address = browser.script("return location.hash")
        for name, voted in (("Ben", "2 of 3"), ("Chloé", "3 of 3")):
            self.act_as(name)
            if browser.count(PRIVATE):
                raise Failure(f"{name} sees a private reply of another member")
            browser.find(f"{PANEL} .select-text.placeholder", "All 10 points to")
            browser.click(f"{PANEL} .select")
            browser.click('.listbox .menu-entry[data-value="0"]')
            browser.find(PRIVATE, "All 10 points to it.")
            browser.find(f"{PANEL} .embed", voted)
        self.act_as("Ada")
        browser.find(PRIVATE, "Your vote is in.")
        if browser.script("return location.hash") != address:
            raise Failure("switching members left the channel")

    def form(self):
        browser = self.browser
        browser.click('[data-custom-id="propose"]')
        browser.find("dialog.modal")
        if browser.count("dialog .modal-field") != 5:
            raise Failure("the form does not have its five boxes")
        if browser.script("return document.getElementById('modal-box2').value") != "Prefilled by the bot":
            raise Failure("the second box is not filled in")
        browser.type("#modal-box1", "abc")
        browser.find("#modal-box1-count", "3 of 80")
        browser.click("dialog .button", "Submit")
        browser.find("dialog .form-error", "2 boxes are not right yet")
        browser.find("#modal-box3-wrong", "must be filled in")
        self.picture("parts-form")
        browser.type("#modal-box1", "defg")
        browser.type("#modal-box3", "Because it is near.")
        browser.click("dialog .button", "Submit")
        browser.wait("the form to close", "return !document.querySelector('dialog')")
        browser.find(PRIVATE, "Because it is near.")

    def pins(self):
        browser = self.browser
        browser.find(".message.system", "pinned a message to this channel")
        browser.find(f"{PANEL} .pinned-mark .icon")
        browser.click('[data-key="pins"]')
        browser.find("dialog .pin", "how do we deliver?")
        self.picture("parts-pins")
        browser.click("dialog .pin .button", "Jump")
        browser.wait("the list to close", "return !document.querySelector('dialog')")
        browser.click(".message.system .link", "pinned messages")
        browser.find("dialog .pin")
        browser.press(ESCAPE)

    def pinning(self):
        browser = self.browser
        browser.script("""
        const node = [...document.querySelectorAll('.message')].find((node) => node.textContent.includes('Earlier message 29'));
        node.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 600, clientY: 300 }));
        """)
        browser.click('.menu-entry[data-action="pin"]', "Pin message")
        browser.find(".message:has(.pinned-mark)", "Earlier message 29")
        browser.click('[data-key="pins"]')
        browser.find("dialog .pin", "Earlier message 29")
        if "Earlier message 29" not in browser.script("return document.querySelector('dialog .pin').textContent"):
            raise Failure("the newest pin is not the first")
        browser.script("document.querySelector('dialog .pin .button.quiet').click()")
        browser.wait("it to be unpinned", "return document.querySelectorAll('dialog .pin').length === 1")
        browser.press(ESCAPE)

    def picture_opens(self):
        browser = self.browser
        browser.click('.picture[aria-label="Enlarge: Points by solution"]')
        browser.find('dialog.lightbox img[alt="Points by solution"]')
        self.picture("parts-picture")
        browser.press(ESCAPE)
        browser.wait("the picture to close", "return !document.querySelector('dialog')")

    def picker(self):
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/")
        browser.find(".suggestions-heading", "/settings")
        browser.find('.suggestion[data-command="settings people"]')
        self.picture("parts-picker")
        browser.type(COMPOSER, "settings people ")
        browser.find('.command-form[data-command="settings people"]')
        browser.type('.command-form [name="who"]', "@prod")
        browser.find(".suggestion", "@Product team")
        self.picture("parts-mention")
        browser.press(ENTER)
        browser.type('.command-form [name="who"]', "and @be")
        browser.find(".suggestion", "Ben")
        browser.press(ENTER)
        browser.press(ENTER)
        browser.find(PRIVATE, "<@&1100000000000000107> and <@1100000000000000012>")

    def fields(self):
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/settings vote ")
        browser.click('[data-add-option="hours"]')
        browser.find(".form-hint", "1 to 168")
        browser.type('[name="hours"]', "200")
        browser.press(ENTER)
        browser.find("#composer > .form-error", "at most 168")
        browser.type('[name="hours"]', "\ue003\ue003\ue00324")
        browser.click('[data-add-option="live"]')
        browser.click(".suggestion", "True")
        browser.press(ENTER)
        browser.find(PRIVATE, '"value":true')
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/settings role ")
        browser.type('[name="role"]', "product team")
        self.picture("parts-role")
        browser.press(ENTER)
        browser.press(ENTER)
        browser.find(PRIVATE, '"roles"')

    def completion(self):
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/decisions ")
        # It leads the list, so it stands there already.
        browser.click('.command-form [name="find"]')
        browser.find(".suggestion", "Decision 25")
        self.picture("parts-choices")
        browser.press(ESCAPE)
        browser.press(ESCAPE)
        browser.wait("the form to close", "return !document.querySelector('.command-form')")

    def hidden_commands(self):
        browser = self.browser
        self.act_as("Ben")
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/")
        browser.find('.suggestion[data-command="decisions"]')
        if browser.count('.suggestion[data-command^="settings"]'):
            raise Failure("a member is offered a command that only administrators may use")
        browser.press(ESCAPE)
        browser.press("\ue003")
        self.act_as("Ada")

    def files(self):
        """A member posts a message with a file, whose name and size are shown before and after."""
        browser = self.browser
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder, "town-plan.md")
            plan.write_text("# Plan\n" + "x" * 2041)
            browser.type('#composer input[type="file"]', str(plan))
            browser.find(".file-tray li", "town-plan.md2.0 KB")
            browser.click(COMPOSER)
            browser.type(COMPOSER, "What do you think?")
            browser.press(ENTER)
            browser.find(ATTACHED, "town-plan.md2.0 KB")
        browser.wait("the tray to be empty", "return document.querySelector('.file-tray').hidden")

    def apps(self):
        """What the bot offers on a message, by the keyboard alone."""
        browser = self.browser
        browser.script("document.querySelector(arguments[0] + ' .apps-button').focus()", ATTACHED)
        browser.press(ENTER)
        browser.find('.menu[aria-label="Apps"] .menu-entry', "About this")
        self.picture("parts-apps")
        browser.press(ENTER)
        browser.find(PRIVATE, 'It says "What do you think?" with "town-plan.md" of 2048')
        browser.find(f"{PRIVATE} .reference-line", "Ada used About this")
        browser.script("""
        const node = document.querySelector(arguments[0]);
        node.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 600, clientY: 300 }));
        """, ATTACHED)
        browser.find(".menu-heading", "Apps")
        browser.find('.menu .menu-entry[data-command="About this"]')
        browser.press(ESCAPE)

    def reading(self):
        """Something above what is being read goes away: what is read stays where it is."""
        browser = self.browser
        last = f"{PRIVATE}:last-child"
        # Low enough that the first private reply is out of sight.
        size = {"width": 1280, "height": 500, "deviceScaleFactor": 1, "mobile": False}
        browser.devtools("Emulation.setDeviceMetricsOverride", size)
        browser.script("const list = document.getElementById('timeline'); list.scrollTop = list.scrollHeight - list.clientHeight - 150")
        browser.wait("the first to be out of sight", "return document.querySelector('.message.ephemeral').getBoundingClientRect().bottom < 0")
        top, many = browser.script(TOP, last), browser.count(PRIVATE)
        browser.script("document.querySelector('.message.ephemeral .link:last-child').click()")
        browser.wait("a private reply to go", "return document.querySelectorAll('.message.ephemeral').length < arguments[0]", many)
        if abs(browser.script(TOP, last) - top) > 1:
            raise Failure("what is being read moved on the screen")
        browser.devtools("Emulation.setDeviceMetricsOverride", {**size, "height": 900})

    def light(self):
        self.browser.prefer("light")
        self.browser.script("document.getElementById('timeline').scrollTop = 1e6")
        self.picture("parts-light")

    def phone_apps(self, scheme):
        """One tap on any message, also on one that continues a group, leads to its apps."""
        browser = self.browser
        browser.script("document.querySelector('.message.grouped').scrollIntoView({ block: 'center' })")
        self.fits(f"parts-phone-{scheme}-grouped")
        browser.click(".message.grouped .more-button")
        browser.find('.menu .menu-entry[data-command="About this"]')
        self.fits(f"parts-phone-{scheme}-apps")
        browser.click('.menu .menu-entry[data-command="About this"]')
        browser.find(PRIVATE, "It says")

    def phone(self, scheme):
        browser = self.browser
        browser.find(PANEL, seconds=30)
        self.act_as("Ben")
        self.phone_apps(scheme)
        browser.script("document.querySelector(arguments[0]).scrollIntoView()", PANEL)
        self.fits(f"parts-phone-{scheme}")
        browser.click(f"{PANEL} .select")
        self.fits(f"parts-phone-{scheme}-select")
        browser.press(ESCAPE)
        browser.click('[data-custom-id="spread"]')
        panel = f"{PRIVATE}:has([data-custom-id^='pick:'])"
        # Of an earlier visit there may be another one.
        browser.find(panel, "Left: 10")
        browser.click(f"{panel} .button", "+1")
        browser.find(panel, "S1: 1")
        self.fits(f"parts-phone-{scheme}-spread")
        browser.click('[data-custom-id="propose"]')
        browser.find("dialog.modal")
        self.fits(f"parts-phone-{scheme}-form")
        browser.click("dialog .button", "Cancel")
        browser.click('[data-key="pins"]')
        browser.find("dialog .pin")
        self.fits(f"parts-phone-{scheme}-pins")
        browser.press(ESCAPE)
        self.act_as("Ada")
        browser.click("button.slash")
        browser.find('.suggestion[data-command="settings people"]')
        self.fits(f"parts-phone-{scheme}-picker")
        browser.click('.suggestion[data-command="settings people"]')
        browser.type('.command-form [name="who"]', "@")
        self.fits(f"parts-phone-{scheme}-mention")


begin(Parts)
