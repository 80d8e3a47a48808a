"""The steps of a roundtable on the page: experts are proposed, one is edited, they talk, and the team votes.

Each takes the running checks (see `checks.py`), and they follow one another in the order of `STEPS`.
"""

from votes import COMPOSER, PANEL, PRIVATE, SPREADING, answered, boxes, choose, drafted, fill, step, submit, verb
from webdriver import ENTER, Failure

PROBLEM = "Should our 12-person team move to a four-day week?"
LAWYER = "Employment lawyer"
MISSION = "Looks at contracts, overtime and working-time rules: what has to be agreed in writing, and undone."
LINE = "\ue008\ue007\ue000"
CARD = f".message:not(.ephemeral):has({verb('raw')})"
PROPOSAL = f".message:not(.ephemeral):has({verb('roles_go')})"
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


def talk(page):
    browser = page.browser
    for name, titles in (
        ("analyses", (f"Operations lead · analysis", f"{LAWYER} · analysis")),
        ("rebuttals", ("Wellbeing adviser · rebuttal", f"{LAWYER} · rebuttal")),
        ("minutes", ("The notary’s record",)),
    ):
        for title in titles:
            # Quotation marks may be typed or typeset.
            browser.wait(f"“{title}”", SHOWN.replace(".textContent", ".textContent.replaceAll('\\u0027', '’')"), CARD, title, seconds=60)
        page.picture(f"roundtable-{name}")
        page.cut(f"roundtable-{name}-whole", ".message:not(.ephemeral):nth-last-child(3)", ".message:not(.ephemeral):last-child")


def behind(page):
    """The whole of a rebuttal calls the others by name."""
    before = page.browser.count(PRIVATE)
    page.browser.click(f"{CARD} {verb('whole')}", "Whole rebuttal")
    said = answered(page, before)
    if "Response A" in said:
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
