"""A critique on the page: a document is attached, its estimate is confirmed, six members read it, the team triages what
they found and takes the list with it. Then a message with a file is critiqued from its own menu.

    critique.py URL
    PAGE_SCREENSHOTS=folder     keeps pictures (default: a temporary folder)

tests/page/critique.rs says what the models answer about warehouse.md. The last line is `N passed, N failed`.
"""

import os
import pathlib
import re
import tempfile
import zipfile

from checks import CARD, Checks, begin
from votes import COMPOSER, PANEL, PRIVATE, answered, verb
from webdriver import ENTER, Browser, Failure

TEXT = pathlib.Path(__file__).with_name("warehouse.md").read_text()
NAME = "warehouse.docx"
ESTIMATE = f"{CARD}:has({verb('estimate_go')})"
TREES = f"{CARD}:has([data-custom-id$=':open_chosen:11'])"
REVIEW = f"{CARD}:has([data-custom-id$=':whole:reviewed'])"
FINDING = f"{PRIVATE}:has([data-custom-id*=':triage_accept:finding/'])"
TRIAGE = f"{CARD}:has({verb('triage_list')})"
COUNCIL = ("Aristotle", "Descartes", "Kant", "Leibniz", "Popper", "Russell")
PACE = int(os.environ.get("PAGE_CRITIQUE_PACE", "1"))
SHOW = """
const [selector, place] = arguments;
const node = [...document.querySelectorAll(selector)].at(place);
node?.scrollIntoView();
document.getElementById('timeline').scrollBy(0, -8);
return Boolean(node);
"""
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(path, text):
    """Writes the text as a document of a word processor: headings by their styles, a paragraph for each block."""
    blocks = []
    for block in text.strip().split("\n\n"):
        hashes = re.match(r"(#+) (.*)", block)
        style = f'<w:pPr><w:pStyle w:val="Heading{len(hashes[1])}"/></w:pPr>' if hashes else ""
        words = (hashes[2] if hashes else block).replace("&", "&amp;").replace("<", "&lt;")
        blocks.append(f'<w:p>{style}<w:r><w:t xml:space="preserve">{words}</w:t></w:r></w:p>')
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
        ' Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{"".join(blocks)}</w:body></w:document>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + content)


class Critique(Checks):
    """The checks, in the order of a critique."""

    def __init__(self, url, pictures):
        super().__init__(url, pictures)
        self.address = None
        self.folder = tempfile.TemporaryDirectory()
        self.document = pathlib.Path(self.folder.name, NAME)
        docx(self.document, TEXT)

    def run(self):
        with Browser(1280, 900) as self.browser:
            self.browser.prefer("dark")
            self.browser.open(self.url)
            for name in ("command", "estimate", "stranger", "go", "trees", "tree", "itself", "review", "findings",
                         "triage", "undo", "export", "vote", "by_menu", "by_choice", "bad_file", "nothing_given", "console"):
                self.check(name.replace("_", " "), getattr(self, name))
        with Browser(390, 844, phone=True) as self.browser:
            for scheme in ("light", "dark"):
                self.browser.prefer(scheme)
                self.check(f"phone {scheme}", lambda scheme=scheme: self.phone(scheme))
            self.check("phone console", self.console)

    def says(self, text, seconds=60, where=CARD):
        super().says(text, seconds * PACE, where)

    def attach(self, path, **others):
        """Fills in /critique with this file, if there is one, and sends it."""
        browser = self.browser
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/critique ")
        browser.find('.command-form[data-command="critique"]')
        if path:
            browser.click('[data-add-option="document"]')
            browser.type('.command-form input[type="file"]', str(path))
            browser.find(".command-form .file-choice", f"{path.name} · ")
        for name, value in others.items():
            browser.click(f'[data-add-option="{name}"]')
            browser.type(f'.command-form [name="{name}"]', value)
        self.picture("critique-form")
        before = browser.count(PRIVATE)
        browser.click(".command-form .send")
        return before

    def command(self):
        browser = self.browser
        browser.find(COMPOSER, seconds=30)
        self.act_as("Ada")
        browser.wait("the bot to be online", "return document.getElementById('banner').hidden", seconds=60)
        before = self.attach(self.document, depth="3")
        said = answered(self, before)
        if NAME not in said and "Opened" not in said and "thread" not in said:
            raise Failure(f"the command is answered with {said[:300]}")
        browser.click(".message .thread-card", NAME)
        browser.wait("the thread", "return document.querySelector('.crumb')")
        self.address = browser.script("return location.hash")

    def estimate(self):
        self.browser.find(ESTIMATE, seconds=60 * PACE)
        self.says("Calls:", where=f"{ESTIMATE} .embed")
        self.says("3 levels", where=f"{ESTIMATE} .embed")
        self.picture("critique-estimate")
        self.cut("readme-critique-estimate", ESTIMATE)

    def stranger(self):
        """Whoever did not start it may not press Go."""
        self.act_as("Ben")
        before = self.browser.count(PRIVATE)
        self.browser.click(f"{ESTIMATE} {verb('estimate_go')}")
        said = answered(self, before)
        if "started" not in said:
            raise Failure(f"somebody else's Go is answered with {said[:300]}")
        self.act_as("Ada")

    def go(self):
        self.browser.click(f"{ESTIMATE} {verb('estimate_go')}")
        self.browser.wait("the buttons to go", "return !document.querySelector(arguments[0])", ESTIMATE, seconds=30)
        self.says("Confirmed by Ada")

    def choose(self, where, option):
        """Chooses from the list of a card, and gives the private answer."""
        browser = self.browser
        before = browser.count(PRIVATE)
        browser.click(f"{where} .select")
        browser.wait("the list", "return document.querySelector('[role=option]')")
        browser.click("[role=option]", option)
        return answered(self, before)

    def trees(self):
        """All six on one message."""
        for name in COUNCIL:
            self.says(f"{name} · critique", seconds=120, where=TREES)
        self.picture("critique-trees")

    def tree(self):
        """A whole tree is an indented list, seen by who asked alone."""
        said = self.choose(TREES, "Descartes · tree")
        for words in ("The year of payback", "The 40 cents", "ways grow longer"):
            if words not in said:
                raise Failure(f"“{words}” is not in the tree: {said[:600]}")
        nested = "return [...document.querySelectorAll('.message.ephemeral')].at(-1).querySelectorAll('li li').length"
        if not self.browser.script(nested):
            raise Failure("the tree is not indented")
        self.browser.wait("the tree", SHOW, PRIVATE, -1)
        self.picture("critique-tree")

    def itself(self):
        self.says("Descartes · self-critique", where=CARD)
        self.says("Less sure of claim 3.", where=CARD)
        self.picture("critique-self")

    def review(self):
        self.browser.find(REVIEW, seconds=60 * PACE)
        for words in ("The figures on which the proposal rests", "Cannot both hold"):
            self.says(words, where=CARD)
        self.browser.wait("the review", SHOW, REVIEW, -1)
        self.picture("critique-review")

    def findings(self):
        browser = self.browser
        browser.find(TRIAGE, seconds=30 * PACE)
        first = self.choose(TRIAGE, "F2 · Lower rent")
        for words in ("F2", "Critical", "Lower rent", "paragraph", "Leibniz", "same rent per square metre"):
            if words not in first:
                raise Failure(f"“{words}” is not on the first finding: {first[:600]}")
        browser.wait("the first finding", SHOW, FINDING, -1)
        self.picture("critique-finding")
        self.cut("readme-critique", REVIEW)

    def verdict(self, name, what, number):
        """Says as a member what becomes of a finding, and waits until the triage says so."""
        browser = self.browser
        self.act_as(name)
        self.choose(TRIAGE, f"F{number} · ")
        before = browser.count(PRIVATE)
        browser.click(f"[data-custom-id$=':triage_{what}:finding/{number}']")
        said = answered(self, before)
        word = {"accept": "Accepted", "reject": "Rejected", "fixed": "Fixed"}.get(what)
        if word:
            self.says(f"{word} by {name}", where=TRIAGE)
        if f"F{number}" not in said:
            raise Failure(f"the verdict is answered with {said[:300]}")

    def triage(self):
        self.verdict("Ben", "accept", 1)
        self.verdict("Chloé", "reject", 2)
        self.says("2 of", where=TRIAGE)

    def undo(self):
        self.verdict("Chloé", "undo", 2)
        self.says("1 of", where=TRIAGE)
        self.verdict("Ada", "fixed", 2)
        self.verdict("Ben", "reject", 3)
        self.says("3 of", where=TRIAGE)
        self.browser.wait("the triage", SHOW, TRIAGE, -1)
        self.picture("critique-triage")
        self.cut("readme-critique-triage", TRIAGE)

    def export(self):
        self.act_as("Ada")
        before = self.browser.count(PRIVATE)
        self.browser.click(f"{TRIAGE} {verb('triage_list')}")
        answered(self, before)
        self.browser.find(f"{PRIVATE} .file-card", ".md")
        link = "return [...document.querySelectorAll('.message.ephemeral .file-card a')].map((node) => node.getAttribute('href'))"
        found = []
        for address in self.browser.script(link):
            found.append(self.browser.script("return fetch(arguments[0]).then((reply) => reply.text())", address))
        for words in ("Accepted", "Ben", "Fixed", "Lower rent"):
            if not any(words in text for text in found):
                raise Failure(f"“{words}” is not in the list: {found[0][:600] if found else 'there is none'}")
        self.picture("critique-export")

    def vote(self):
        browser = self.browser
        browser.find(PANEL, seconds=60 * PACE)
        self.says("What matters most", where=f"{PANEL} .embed")
        browser.wait("the points", SHOW, f"{CARD}:has(.picture)", -1)
        self.picture("critique-points")
        browser.wait("the vote", SHOW, PANEL, -1)
        self.picture("critique-vote")

    def by_menu(self):
        """A message with a text and a file, from its own menu."""
        browser = self.browser
        browser.click(".crumb")
        browser.wait("the channel", "return !document.querySelector('.crumb')")
        notes = pathlib.Path(self.folder.name, "notes.md")
        notes.write_text("# Notes\n\n" + "The shop in Mill Street sells twice as much on Fridays as on any other day. " * 6)
        browser.type('#composer input[type="file"]', str(notes))
        browser.find(".file-tray li", "notes.md")
        browser.click(COMPOSER)
        browser.type(COMPOSER, "We open longer on Fridays, because everybody wants it and nothing speaks against it.")
        browser.press(ENTER)
        message = f"{CARD}:has(.file-card)"
        browser.find(message, "notes.md")
        before, threads = browser.count(PRIVATE), browser.count(".thread-card")
        browser.click(f"{message} .apps-button")
        browser.click('.menu[aria-label="Apps"] .menu-entry', "Critique this message")
        self.picture("critique-by-menu")
        answered(self, before)
        browser.find(f"{PRIVATE} .reference-line", "Ada used Critique this message")
        opened = "return document.querySelectorAll('.thread-card').length > arguments[0]"
        browser.wait("a thread", opened, threads, seconds=30)
        browser.click(".message .thread-card", "message by Ada")
        browser.wait("the thread", "return document.querySelector('.crumb')")
        self.says("What it takes")
        browser.find(REVIEW, seconds=120 * PACE)
        self.says("message by Ada", where=REVIEW)
        self.picture("critique-of-a-message")
        browser.click(".crumb")
        browser.wait("the channel", "return !document.querySelector('.crumb')")

    def by_choice(self):
        """The panel is asked about a message by the keyboard alone: its menu, then the protocol in a private select."""
        browser = self.browser
        before, threads = browser.count(PRIVATE), browser.count(".thread-card")
        browser.script("document.querySelector(arguments[0] + ' .apps-button').focus()", f"{CARD}:has(.file-card)")
        browser.press(ENTER)
        browser.click('.menu[aria-label="Apps"] .menu-entry', "Ask the panel about this message")
        answered(self, before)
        browser.find(f"{PRIVATE} .select", "Choose what it is for")
        browser.script("[...document.querySelectorAll('.message.ephemeral .select')].at(-1).focus()")
        browser.press(ENTER)
        browser.find("[role=option]", "what is wrong or missing in it")
        self.picture("critique-by-choice")
        self.accessible()
        browser.click("[role=option]", "/critique")
        opened = "return document.querySelectorAll('.thread-card').length > arguments[0]"
        browser.wait("a thread", opened, threads, seconds=30)
        browser.find(PRIVATE, "It has begun")

    def bad_file(self):
        """A program that calls itself a text: a sentence for who sent it, and nothing is started."""
        program = pathlib.Path(self.folder.name, "plan.txt")
        program.write_bytes(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40)
        threads = self.browser.count(".thread-card")
        said = answered(self, self.attach(program))
        if "plan.txt" not in said:
            raise Failure(f"a program is answered with {said[:300]}")
        self.picture("critique-bad-file")
        if self.browser.count(".thread-card") != threads:
            raise Failure("a session was started")

    def nothing_given(self):
        said = answered(self, self.attach(None))
        if "nothing to examine" not in said:
            raise Failure(f"the command without anything is answered with {said[:300]}")

    def phone(self, scheme):
        browser = self.browser
        if not self.address:
            raise Failure("there is no thread to open")
        browser.open("about:blank")
        browser.open(self.url + self.address)
        browser.find(REVIEW, seconds=30)
        confirmed = f"{CARD}:has(.embed-title)"
        places = (("estimate", confirmed, 1), ("trees", TREES, 0), ("review", REVIEW, 0), ("triage", TRIAGE, 0),
                  ("vote", PANEL, 0))
        for name, selector, place in places:
            browser.wait(f"{name} on a phone", SHOW, selector, place)
            self.fits(f"phone-critique-{name}-{scheme}")


begin(Critique)
