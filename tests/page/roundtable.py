"""The steps of a roundtable on the page: experts are proposed, one is edited, they talk, and the team votes.

Each takes the running checks (see `checks.py`), and they follow one another in the order of `STEPS`.
"""

import re

import checks
from checks import COMPOSER
from votes import PANEL, PRIVATE, SPREADING, answered, boxes, choose, drafted, fill, step, submit, verb
from webdriver import ENTER, Failure

PROBLEM = "Should our 12-person team move to a four-day week?"
LAWYER = "Employment lawyer"
MISSION = "Looks at contracts, overtime and working-time rules: what has to be agreed in writing, and undone."
LINE = "\ue008\ue007\ue000"
CARD = f".message:not(.ephemeral):has({verb('raw')})"
PROPOSAL = f".message:not(.ephemeral):has({verb('roles_go')})"
# The button that opens the whole memo.
MEMO = "[data-custom-id$=':whole:synthesis']"
SHOWN = "return [...document.querySelectorAll(arguments[0])].some((node) => node.textContent.includes(arguments[1]))"


def command(page):
    browser = page.browser
    page.act_as("Ada")
    browser.click(".crumb")
    browser.wait("the channel", "return !document.querySelector('.crumb')")
    browser.click(COMPOSER)
    browser.type(COMPOSER, "/round")
    browser.find('.suggestion[data-command="roundtable"]')
    browser.press(ENTER)
    browser.type('.command-form [name="problem"]', PROBLEM)
    browser.click('[data-add-option="experts"]')
    browser.type('.command-form [name="experts"]', "3")
    page.picture("roundtable-form")
    before = browser.count(".thread-card")
    browser.press(ENTER)
    browser.wait("a thread to be opened", "return document.querySelectorAll('.thread-card').length > arguments[0]", before, seconds=30)
    browser.click(".message .thread-card", PROBLEM[:20])
    browser.wait("the thread", "return document.querySelector('.crumb')")


def proposed(page):
    page.browser.find(PROPOSAL, seconds=30)
    page.browser.find(f"{PROPOSAL} .embed", "Finance controller")
    page.picture("roundtable-proposal")


def edit(page):
    """A role without a name is refused and nothing changes; a right one stands on the card."""
    browser = page.browser
    browser.click(f"{PROPOSAL} {verb('roles_edit')}")
    browser.find("dialog.modal")
    if boxes(page) != ["role-1", "role-2", "role-3"]:
        raise Failure(f"the form asks for {boxes(page)}")
    page.picture("roundtable-edit")
    fill(page, "role-3", MISSION)
    before = browser.count(PRIVATE)
    submit(page)
    said = answered(page, before)
    if "first line" not in said or MISSION not in said:
        raise Failure(f"a role without a name is answered with {said[:300]}")
    page.picture("roundtable-refused")
    browser.find(f"{PROPOSAL} .embed", "Finance controller")
    browser.click(f"{PROPOSAL} {verb('roles_edit')}")
    browser.find("dialog.modal")
    fill(page, "role-3", f"{LAWYER}{LINE}{MISSION}")
    before = browser.count(PRIVATE)
    submit(page)
    answered(page, before)
    browser.find(f"{PROPOSAL} .embed", LAWYER, seconds=30)
    page.picture("roundtable-edited")
    page.cut("readme-roundtable", PROPOSAL)


def stranger(page):
    """Whoever did not start it may not press Go."""
    page.act_as("Ben")
    before = page.browser.count(PRIVATE)
    page.browser.click(f"{PROPOSAL} {verb('roles_go')}")
    said = answered(page, before)
    if "started" not in said:
        raise Failure(f"somebody else's Go is answered with {said[:200]}")
    page.picture("roundtable-stranger")
    page.act_as("Ada")


def go(page):
    browser = page.browser
    browser.click(f"{PROPOSAL} {verb('roles_go')}")
    browser.wait("the buttons to go", "return !document.querySelector(arguments[0])", PROPOSAL, seconds=30)
    browser.wait("who confirmed it", SHOWN, CARD, "Confirmed by Ada")


def of_round(number):
    """The selector of a round's message, by the buttons that open what each expert wrote in it."""
    return f".message:not(.ephemeral):has([data-custom-id*=':whole:round-{number}/'])"


def talk(page):
    """Each round is one message of all experts; then all have checked the draft, and the memo comes."""
    for number in (1, 2):
        for role in ("Operations lead", "Wellbeing adviser", LAWYER):
            page.says(f"{role} · round {number}", where=of_round(number))
        page.picture(f"roundtable-round-{number}")
        page.cut(f"roundtable-round-{number}-whole", of_round(number))
    for title in ("The draft was checked", "Do this", "Still unknown"):
        page.says(title)
    page.browser.wait("the memo", checks.SHOW, checks.CARD, "Do this")
    page.picture("roundtable-memo")
    # The answer and its text stand in the message before the one with what is open and the button.
    page.cut("roundtable-memo-whole", f".message:not(.ephemeral):has(+ .message {MEMO})", f".message:not(.ephemeral):has({MEMO})")


def behind(page):
    """The whole of what an expert wrote in round 2 calls the others by name."""
    before = page.browser.count(PRIVATE)
    page.browser.click(f"{of_round(2)} [data-custom-id*=':whole:round-2/']", LAWYER)
    said = answered(page, before)
    for name in (f"{LAWYER} · round 2", "Operations lead", "Wellbeing adviser"):
        if name not in said:
            raise Failure(f"“{name}” is not in: {said[:300]}")
    if re.search(r"[Aa]nalys[ei]s [A-E]\b", said):
        raise Failure("people are shown letters instead of names")
    page.picture("roundtable-behind")


def vote(page):
    page.browser.find(PANEL, seconds=60)
    page.browser.find(f"{PANEL} .embed", "in two groups")
    page.picture("roundtable-vote")
    page.cut("roundtable-vote-whole", ".message:not(.ephemeral):has(.picture)", PANEL)
    # Somebody to whom nothing was said in private yet, so that the panel and the private one stand together.
    page.act_as("Chloé")
    page.browser.click(f"{PANEL} {verb('vote_spread')}")
    page.browser.find(SPREADING)
    for _ in range(3):
        step(page, 1)
    drafted(page, lambda: choose(page, SPREADING, "spread_pick", 1))
    for _ in range(5):
        step(page, 1)
    page.cut("readme-panel", PANEL, SPREADING)
    page.act_as("Ada")


def phone(page):
    """The proposal on a narrow screen, with the thread open."""
    browser = page.browser
    browser.find(CARD)
    browser.script("document.querySelector(arguments[0]).scrollIntoView()", CARD)
    page.fits("phone-roundtable")
    browser.find(PANEL)
    browser.script("document.querySelector(arguments[0]).scrollIntoView()", PANEL)
    page.fits("phone-roundtable-vote")


STEPS = [command, proposed, edit, stranger, go, talk, behind, vote]


def run(page):
    """Runs the steps in their order, each as a check."""
    for one in STEPS:
        page.check(f"roundtable: {one.__name__}", lambda one=one: one(page))
    page.roundtable = page.browser.script("return location.hash")
