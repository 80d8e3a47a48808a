"""The steps of a vote on the page, from the open panel to how the decision turned out.

Each takes the running checks (see `checks.py`) with the session's thread open, and they follow one another in the
order of `STEPS`. What the bot calls a button may change, so they go by what a button means: a component's id is
`v1:<session>:<verb>:<argument>`.
"""

from webdriver import ESCAPE, Failure

COMPOSER = "#composer-text"
PRIVATE = ".message.ephemeral"
CONTROL, RELEASE = "\ue009", "\ue000"
TURNOUT = "return document.querySelector(arguments[0])?.querySelector('.embed')?.textContent ?? ''"


def verb(name):
    """The selector of the controls that mean this."""
    return f'[data-custom-id*=":{name}:"]'


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
    choose(page, PANEL, "vote_all", 0)
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
    drafted(page, lambda: choose(page, SPREADING, "spread_pick", 1))
    for _ in range(3):
        step(page, 1)
    drafted(page, lambda: choose(page, SPREADING, "spread_pick", 0))
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
    drawn = """
    const last = [...document.querySelectorAll('.picture img')].at(-1);
    return last && (last.loading = 'eager', last.complete && last.naturalWidth > 0 && last.alt);
    """
    browser.wait("experts and team side by side, with a description", drawn, seconds=30)
    page.picture("vote-result")


def decide(page):
    browser = page.browser
    browser.click(verb("decide"))
    browser.find("dialog.modal")
    if boxes(page) != ["chosen", "why", "owner", "review", "dissent"]:
        raise Failure(f"the decision's form asks for {boxes(page)}")
    fill(page, "why", "Cheapest to try, and easy to undo.")
    fill(page, "owner", "Ben")
    fill(page, "review", "in 3 weeks")
    page.picture("vote-decide")
    submit(page)
    browser.find(".message:not(.ephemeral) .embed", "Cheapest to try", seconds=30)
    page.picture("vote-decision")


def pinned(page):
    browser = page.browser
    browser.find(".message.system", "pinned a message", seconds=30)
    browser.click('[data-key="pins"]')
    browser.find("dialog .pin .embed", "Cheapest to try")
    page.picture("vote-pinned")
    browser.click("dialog .pin .button", "Jump")
    browser.wait("the list to close", "return !document.querySelector('dialog')")


def command(page, name):
    """Runs a command that needs no options; gives the private answer."""
    before = page.browser.count(PRIVATE)
    page.browser.click(COMPOSER)
    page.browser.type(COMPOSER, f"/{name} ")
    page.browser.find(f'.command-form[data-command="{name}"]')
    page.browser.click(".command-form .send")
    return answered(page, before)


def decisions(page):
    said = command(page, "decisions")
    if "Decision 1" not in said:
        raise Failure(f"the list is {said[:200]}")
    page.picture("vote-decisions")


def settings(page):
    said = command(page, "settings show")
    if "Voting" not in said:
        raise Failure(f"the settings are {said[:200]}")
    page.picture("vote-settings")
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
    """Says how it turned out. The test that runs the page has to bring the review date forward."""
    browser = page.browser
    browser.click(verb("outcome"), "Partly", seconds=60)
    browser.find("dialog.modal")
    (name,) = boxes(page)
    fill(page, name, "Two of three streets pay for themselves.")
    submit(page)
    browser.find(".message:not(.ephemeral) .embed", "Two of three streets", seconds=30)
    page.picture("vote-outcome")


def phone(page):
    """The panel and the private panel on a narrow screen, with the thread open."""
    browser = page.browser
    page.act_as("Ben")
    browser.find(".message .embed")
    browser.script("document.getElementById('timeline').scrollTop = 1e6")
    page.fits("phone-vote")


STEPS = [panel, by_select, by_spreading, by_typing, propose, close, decide, pinned, decisions, settings, outcome]


def run(page, steps=None):
    """Runs the steps in their order, each as a check."""
    for one in steps or STEPS:
        page.check(f"vote: {one.__name__.replace('_', ' ')}", lambda one=one: one(page))
