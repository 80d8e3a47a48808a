"""The steps of a vote on the page, from the open panel to how the decision turned out.

Each takes the running checks (see `checks.py`) with the session's thread open, and they follow one another in the
order of `STEPS`. What the bot calls a button may change, so they go by what a button means: a component's id is
`v1:<session>:<verb>:<argument>`.
"""

import os
import sqlite3
import time

from checks import COMPOSER
from webdriver import ESCAPE, Failure

# The bot's database, if whoever runs this has it.
DATABASE = os.environ.get("PAGE_DATABASE")
PRIVATE = ".message.ephemeral"
CONTROL, RELEASE = "\ue009", "\ue000"
RECORD = "Decision 1: Offer"
WHY = "It costs least to try, and we can stop any week without owing anybody anything."
DISSENT = "Ada: people order food so that they need not leave the house."
SHOW = """
const [selector, text, name] = arguments;
const shown = [...document.querySelectorAll(selector)].filter((node) => node.textContent.includes(text)).at(-1);
shown.dataset.lookedAt = name;
shown.scrollIntoView();
"""
TURNOUT = "return document.querySelector(arguments[0])?.querySelector('.embed')?.textContent ?? ''"


def verb(name):
    """The selector of the controls that mean this."""
    return f'[data-custom-id*=":{name}:"]'


RESULT = ".message:not(.ephemeral):has(.picture)"
PANEL = f".message:not(.ephemeral):has({verb('vote_all')})"
SPREADING = f"{PRIVATE}:has({verb('spread_pick')})"


def choose(page, where, control, place):
    """Chooses the option in this place, counted from 0, of a select in the last message that fits `where`."""
    page.browser.click(f"{where} .select{verb(control)}")
    page.browser.wait("the select's list", "return document.querySelector('.listbox .menu-entry')")
    entry = page.browser.script("return document.querySelectorAll('.listbox .menu-entry')[arguments[0]]?.dataset.value ?? null", place)
    if entry is None:
        page.browser.press(ESCAPE)
        raise Failure(f"there is no option {place + 1}")
    page.browser.click(f'.listbox .menu-entry[data-value="{entry}"]')


def drafted(page, action):
    """Does something that changes the draft, which rides in the ids of the private panel, and waits for the change."""
    draft = "return document.querySelector(arguments[0])?.dataset.customId"
    cast = f"{SPREADING} {verb('spread_cast')}"
    before = page.browser.script(draft, cast)
    action()
    page.browser.wait("the private panel to change in place", f"{draft} !== arguments[1]", cast, before)


def step(page, place):
    """Presses one of the private panel's three steps: 0 less, 1 more, 2 all that is left."""
    row = f"{SPREADING} .component-row:nth-child(2)"
    drafted(page, lambda: page.browser.click(f"{row} .button:nth-child({place + 1}):not(:disabled)"))


def fill(page, name, text):
    """Writes this into a form's box, instead of what is in it."""
    page.browser.click(f'dialog [name="{name}"]')
    page.browser.type(f'dialog [name="{name}"]', f"{CONTROL}a{RELEASE}{text}")


def chosen(page, name):
    """What a form's list says is chosen."""
    return page.browser.script("return document.querySelector(arguments[0]).selectedOptions[0].text", f'dialog [name="{name}"]')


def pick(page, name, text):
    """Chooses in a form's list what begins so, by keyboard as it is typed there."""
    page.browser.script("document.querySelector(arguments[0]).focus()", f'dialog [name="{name}"]')
    page.browser.type(f'dialog [name="{name}"]', text)
    if not chosen(page, name).startswith(text):
        raise Failure(f"{text!r} is not to be chosen in {name}: {chosen(page, name)!r}")


def boxes(page):
    """The names of the open form's boxes."""
    return page.browser.script("return [...document.querySelectorAll('dialog .modal-field [name]')].map((node) => node.name)")


def submit(page):
    """Sends the open form and waits until it has gone."""
    page.browser.click("dialog .button", "Submit")
    page.browser.wait("the form to close", "return !document.querySelector('dialog.modal')")


def answered(page, before):
    """Waits for one more private reply that is no longer being thought about; gives its text."""
    more = """
    const all = [...document.querySelectorAll('.message.ephemeral')];
    return all.length > arguments[0] && !all.at(-1).querySelector('.thinking') && all.at(-1).textContent;
    """
    return page.browser.wait("a private reply", more, before)


def counted(page, before):
    """Waits for the reply that a vote counts."""
    said = answered(page, before)
    if "counts" not in said:
        raise Failure(f"the vote was not taken: {said[:200]}")


def panel(page):
    page.browser.find(PANEL, seconds=60)
    page.browser.find(f"{PANEL} .embed time[data-relative]")
    page.picture("vote-panel")


def by_select(page):
    page.act_as("Ben")
    before, shown = page.browser.count(PRIVATE), page.browser.script(TURNOUT, PANEL)
    choose(page, PANEL, "vote_all", 1)
    counted(page, before)
    moved(page, shown)


def moved(page, shown):
    """Waits until the panel shows another turnout than before."""
    other = TURNOUT.replace("return ", "return (") + ") !== arguments[1]"
    page.browser.wait("the panel's turnout", other, PANEL, shown)


def by_spreading(page):
    browser = page.browser
    page.act_as("Chloé")
    if browser.count(PRIVATE):
        raise Failure("a member sees another's private reply")
    shown = browser.script(TURNOUT, PANEL)
    browser.click(f"{PANEL} {verb('vote_spread')}")
    browser.find(SPREADING)
    # The first solution is chosen already.
    for _ in range(3):
        step(page, 1)
    drafted(page, lambda: choose(page, SPREADING, "spread_pick", 1))
    step(page, 2)
    page.picture("vote-spread")
    if browser.count(PRIVATE) != 1:
        raise Failure("the private panel did not change in place")
    browser.click(f"{SPREADING} {verb('spread_cast')}")
    browser.find(PRIVATE, "counts")
    moved(page, shown)


def by_typing(page):
    browser = page.browser
    page.act_as("Ada")
    shown = browser.script(TURNOUT, PANEL)
    browser.click(f"{PANEL} {verb('vote_spread')}")
    browser.click(f"{SPREADING} {verb('spread_type')}")
    browser.find("dialog.modal")
    (name,) = boxes(page)
    before = browser.count(PRIVATE)
    fill(page, name, "S1 4\nS2 5")
    submit(page)
    if "counts" in answered(page, before):
        raise Failure("nine points were taken for ten")
    browser.click(f"{SPREADING} {verb('spread_type')}")
    browser.find("dialog.modal")
    before = browser.count(PRIVATE)
    fill(page, name, "S1 4\nS2 6")
    page.picture("vote-typed")
    submit(page)
    counted(page, before)
    moved(page, shown)


def propose(page):
    browser = page.browser
    page.act_as("Ben")
    browser.click(f"{PANEL} {verb('propose')}")
    browser.find("dialog.modal")
    fill(page, "title", "Begin with one street")
    fill(page, "description", "One street, one restaurant, four weeks. Then see.")
    before = browser.count(PRIVATE)
    submit(page)
    answered(page, before)
    browser.find(f"{PANEL} .embed", "Begin with one street")
    page.picture("vote-proposed")


def close(page):
    browser = page.browser
    page.act_as("Ada")
    browser.click(f"{PANEL} {verb('vote_close')}")
    browser.click(f"{PRIVATE} {verb('vote_close_sure')}")
    browser.find(verb("decide"), seconds=30)
    browser.wait("the panel to lose its controls", "return !document.querySelector(arguments[0])", PANEL)
    browser.find(RESULT, "What the experts and the team chose", seconds=30)
    drawn = """
    const last = [...document.querySelectorAll('.picture img')].at(-1);
    return last && (last.loading = 'eager', last.complete && last.naturalWidth > 0 && last.alt);
    """
    browser.wait("experts and team side by side, with a description", drawn, seconds=30)
    page.picture("vote-result")
    page.cut("readme-vote", RESULT)


def decide(page):
    browser = page.browser
    browser.click(verb("decide"))
    browser.find("dialog.modal")
    if boxes(page) != ["solution", "why", "member", "review", "dissent"]:
        raise Failure(f"the decision's form asks for {boxes(page)}")
    if not chosen(page, "solution").startswith("S"):
        raise Failure(f"the leading solution is not chosen already, but {chosen(page, 'solution')!r}")
    pick(page, "solution", "S2")
    pick(page, "member", "Ben")
    fill(page, "why", WHY)
    fill(page, "review", "next spring")
    page.picture("vote-decide-list")
    before = browser.count(PRIVATE)
    submit(page)
    said = answered(page, before)
    if "no date I can read" not in said or WHY not in said:
        raise Failure(f"a date nobody can read is answered with {said[:200]}")
    page.picture("vote-decide-again")
    browser.click(f"{PRIVATE} {verb('decide')}")
    browser.find("dialog.modal")
    held = [browser.script("return document.querySelector(arguments[0]).value", f'dialog [name="{name}"]') for name in ("why", "review")]
    if held != [WHY, "next spring"] or not chosen(page, "solution").startswith("S2") or "Ben" not in chosen(page, "member"):
        raise Failure(f"the form opens again with {held}, {chosen(page, 'solution')!r} and {chosen(page, 'member')!r}")
    for name, text in (("review", "in 3 weeks"), ("dissent", DISSENT)):
        fill(page, name, text)
    page.picture("vote-decide")
    submit(page)
    browser.find(".message:not(.ephemeral) .embed", WHY, seconds=30)
    page.picture("vote-decision")


def pinned(page):
    browser = page.browser
    browser.find(".message.system", "pinned a message", seconds=30)
    browser.click('[data-key="pins"]')
    browser.find("dialog .pin .embed", WHY)
    page.picture("vote-pinned")
    browser.click("dialog .pin .button", "Jump")
    browser.wait("the list to close", "return !document.querySelector('dialog')")


def command(page, name, **options):
    """Runs a command with texts or numbers as its options; gives the private answer."""
    before = page.browser.count(PRIVATE)
    page.browser.click(COMPOSER)
    page.browser.type(COMPOSER, f"/{name} ")
    page.browser.find(f'.command-form[data-command="{name}"]')
    for option, value in options.items():
        # A text that leads the list stands there already.
        if not page.browser.count(f'.command-form [name="{option}"]'):
            page.browser.click(f'[data-add-option="{option}"]')
        page.browser.type(f'.command-form [name="{option}"]', value)
    page.browser.click(".command-form .send")
    return answered(page, before)


def said_of(page, name, phrase, **options):
    """Runs a command whose answer holds a phrase."""
    said = command(page, name, **options)
    if phrase not in said:
        raise Failure(f"/{name} {options} is answered with {said[:300]}")


def decisions(page):
    said_of(page, "decisions", "Decision 1")
    page.picture("vote-decisions")
    said_of(page, "decisions", "Decision 1", search="owing anybody")
    said = command(page, "decisions", search="zeppelin")
    if "Decision 1" in said:
        raise Failure(f"a search for what is not there finds {said[:200]}")
    page.picture("vote-decisions-none")


def settings(page):
    said_of(page, "settings show", "Voting")
    page.picture("vote-settings")
    said_of(page, "settings voting", "336", hours="400")
    said_of(page, "settings voting", "48", hours="48", quorum="2")
    said_of(page, "settings log", "48")
    page.picture("vote-settings-log")
    page.act_as("Ben")
    page.browser.click(COMPOSER)
    page.browser.type(COMPOSER, "/")
    page.browser.find('.suggestion[data-command="decisions"]')
    if page.browser.count('.suggestion[data-command^="settings"]'):
        raise Failure("somebody who does not manage the server is offered /settings")
    page.browser.press(ESCAPE)
    page.browser.press("\ue003")
    page.act_as("Ada")


def outcome(page):
    """Says how it turned out, once the day of the review has come."""
    if not DATABASE:
        print("   (the bot's database is not named, so the day of the review does not come)")
        return
    with sqlite3.connect(DATABASE, timeout=10) as database:
        yesterday = int((time.time() - 86_400) * 1000)
        database.execute("UPDATE decision SET review_ms = ? WHERE review_ms IS NOT NULL", [yesterday])
    database.close()
    browser = page.browser
    browser.find(verb("outcome"), "Partly", seconds=60)
    page.picture("vote-review")
    browser.click(verb("outcome"), "Partly")
    browser.find("dialog.modal")
    (name,) = boxes(page)
    fill(page, name, "Two of the five shops sell thirty meals a day; the others are too far from the offices.")
    page.picture("vote-outcome-form")
    submit(page)
    browser.find(".message:not(.ephemeral) .embed", "Two of the five shops", seconds=30)
    page.picture("vote-outcome")


def phone(page):
    """Everything that a vote leaves in its thread, on a narrow screen, with the thread open."""
    browser = page.browser
    for name, selector, text in (
        ("result", RESULT, "What the experts and the team chose"),
        ("decision", ".message:not(.system, .ephemeral)", RECORD),
    ):
        browser.find(selector, text)
        browser.script(SHOW, selector, text, name)
        page.fits(f"phone-vote-{name}")
        page.cut(f"readme-phone-{name}", f'[data-looked-at="{name}"]')


STEPS = [panel, by_select, by_spreading, by_typing, propose, close, decide, pinned, decisions, settings, outcome]


def run(page, steps=None):
    """Runs the steps in their order, each as a check."""
    for one in steps or STEPS:
        page.check(f"vote: {one.__name__.replace('_', ' ')}", lambda one=one: one(page))
