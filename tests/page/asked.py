"""A session that somebody wants to see the price of first: begun with a form, its options set where it asks, on desktop and
phone; the page magnified; and what a screen reader is told of it.

Each takes the running checks (see `checks.py`).
"""

from checks import COMPOSER
from votes import PRIVATE, answered, boxes, chosen, fill, pick, submit, verb
from webdriver import ENTER, Failure

PROBLEM = "Should the allotment club buy a shredder, or rent one twice a year?"
CARD = f".message:not(.ephemeral):has({verb('estimate_go')})"
PARTS = ["modules", "effort", "model", "switches", "rest"]
# The names that assistive technology has for what can be pressed or written in; each has to have one.
UNNAMED = """
return [...document.querySelectorAll('dialog button, dialog input, dialog textarea, dialog select, .component-row .button, .select')]
  .filter((node) => node.checkVisibility())
  .filter((node) => !(node.getAttribute('aria-label') || node.labels?.[0]?.textContent || node.textContent).trim())
  .map((node) => node.outerHTML.slice(0, 120));
"""


def begin(page, address=None):
    """Starts a session by the form, to be asked first, and opens its thread. `address`: the channel's, to be opened anew; without
    one, whatever is open is a thread of it."""
    browser = page.browser
    if address:
        # Not the page's alone, which opens what was open last, as soon as it knows of it.
        browser.open("about:blank")
        browser.open(address)
        browser.find(COMPOSER, seconds=30)
    else:
        browser.click(".crumb", seconds=30)
        page.channel = browser.wait("the channel", "return !document.querySelector('.crumb') && location.hash")
    before = browser.count(".thread-card")
    if address:
        browser.click("button.slash")
        browser.click('.suggestion[data-command="mediate"]')
        browser.find('.command-form[data-command="mediate"] [name="problem"]')
        browser.click('.command-form button[type="submit"]')
    else:
        browser.click(COMPOSER)
        browser.type(COMPOSER, "/medi")
        browser.find('.suggestion[data-command="mediate"]')
        browser.press(ENTER)
        browser.find('.command-form[data-command="mediate"] [name="problem"]')
        browser.press(ENTER)
    browser.find("dialog.modal textarea[required]")
    if boxes(page) != ["text", "start"]:
        raise Failure(f"the form asks for {boxes(page)}")
    fill(page, "text", PROBLEM)
    pick(page, "start", "After a look")
    page.accessible()
    submit(page)
    browser.wait("a thread to be opened", "return document.querySelectorAll('.thread-card').length > arguments[0]", before, seconds=30)
    browser.click(".message .thread-card", PROBLEM[:20])
    browser.wait("the thread", "return document.querySelector('.crumb')")
    browser.find(f"{CARD} .embed", "somebody wanted to see this first", seconds=30)


def press(page, name):
    """Presses a button of the card, brought to the middle of what is seen."""
    button = f"{CARD} {verb(name)}"
    page.browser.script("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", button)
    page.browser.click(button)


def options(page, look, size):
    """The form holds every option; what is set stands on the card, and what cannot be is given back with the form."""
    browser = page.browser
    browser.script("document.querySelector(arguments[0]).scrollIntoView({ block: 'end' })", CARD)
    look(f"asked-{size}-estimate")
    press(page, "estimate_options")
    browser.find("dialog.modal")
    if boxes(page) != PARTS:
        raise Failure(f"the form asks for {boxes(page)}")
    unnamed = browser.script(UNNAMED)
    if unnamed:
        raise Failure(f"without a name: {unnamed[:3]}")
    look(f"asked-{size}-options")
    fill(page, "rest", "vote_hours: 900")
    before = browser.count(PRIVATE)
    submit(page)
    said = answered(page, before)
    if "from 1 to 336" not in said or "vote_hours: 900" not in said:
        raise Failure(f"900 hours are answered with {said[:300]}")
    look(f"asked-{size}-refused")
    browser.click(f"{PRIVATE}:last-of-type .button", "Open the form again")
    browser.find("dialog.modal")
    pick(page, "effort", "brief")
    fill(page, "rest", "vote_hours: 48")
    before = browser.count(PRIVATE)
    submit(page)
    answered(page, before)
    browser.find(f"{CARD} .embed", "Effort: brief", seconds=30)
    press(page, "estimate_options")
    browser.find("dialog.modal")
    if not chosen(page, "effort").startswith("brief"):
        raise Failure(f"the form opens with {chosen(page, 'effort')}")
    browser.click("dialog .button", "Cancel")
    browser.wait("the form to close", "return !document.querySelector('dialog')")


def belongs(page, wide):
    """Whoever started it is in its thread without having said anything, and is told when it is done if they want that."""
    browser = page.browser
    if wide:
        browser.wait("the starter in the thread", "return document.querySelector('[data-key=members]')?.title.includes('Ada')", seconds=30)
    button = verb("tell_me")
    browser.script("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", button)
    for expected in ("You will be pinged in its thread", "You will not be pinged"):
        before = browser.count(PRIVATE)
        browser.click(button)
        said = answered(page, before)
        if expected not in said:
            raise Failure(f"“Tell me when it is done” is answered with {said[:300]}")


def over(page):
    """Cancelled, nothing was asked of a model."""
    browser = page.browser
    before = browser.count(PRIVATE)
    press(page, "estimate_cancel")
    answered(page, before)
    before = browser.count(PRIVATE)
    browser.click(f"{PRIVATE} {verb('cancel_sure')}")
    answered(page, before)


def magnified(page):
    """At 200 % and 400 % of 1,280 pixels nothing is cut off, and what is open can be written into and sent."""
    browser = page.browser
    for percent in (200, 400):
        size = {"width": 1280 * 100 // percent, "height": 900 * 100 // percent, "deviceScaleFactor": percent / 100, "mobile": False}
        browser.devtools("Emulation.setDeviceMetricsOverride", size)
        page.fits(f"asked-magnified-{percent}")
        press(page, "estimate_options")
        browser.find("dialog.modal")
        page.fits(f"asked-magnified-{percent}-form")
        reached = """
        const button = [...document.querySelectorAll('dialog .button')].find((node) => node.textContent === 'Submit');
        button.scrollIntoView({ block: 'nearest' });
        const place = button.getBoundingClientRect();
        return document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2)?.closest('.button') === button;
        """
        if not browser.script(reached):
            raise Failure(f"at {percent} % the form cannot be sent")
        browser.click("dialog .button", "Cancel")
        browser.wait("the form to close", "return !document.querySelector('dialog')")
    browser.size(1280, 900)


def told(page):
    """What a screen reader is given: no control without a name, and what comes in is announced."""
    browser = page.browser
    browser.devtools("Accessibility.enable", {})
    nodes = browser.devtools("Accessibility.getFullAXTree", {})["nodes"]
    roles = {"button", "link", "textbox", "combobox", "listbox", "option", "checkbox", "menuitem"}
    of = lambda node, key: (node.get(key) or {}).get("value") or ""  # noqa: E731
    unnamed = [of(node, "role") for node in nodes if not node.get("ignored") and of(node, "role") in roles and not of(node, "name").strip()]
    if unnamed:
        raise Failure(f"{len(unnamed)} controls have no name: {', '.join(unnamed[:5])}")
    regions = {of(node, "role") for node in nodes}
    if missing := {"main", "navigation", "region"} - regions:
        raise Failure(f"there is no {', '.join(sorted(missing))} to jump to")
    browser.script("window.announced = []; new MutationObserver(() => window.announced.push(document.getElementById('announcer').textContent)).observe(document.getElementById('announcer'), { childList: true, characterData: true, subtree: true })")
    before = browser.count(PRIVATE)
    press(page, "estimate_options")
    browser.find("dialog.modal")
    submit(page)
    answered(page, before)
    browser.wait("the reply to be announced", "return window.announced.some((text) => text.includes('options are set'))")


def desktop(page):
    page.check("asked: begins", lambda: begin(page))
    page.check("asked: options", lambda: options(page, page.picture, "desktop"))
    page.check("asked: belongs", lambda: belongs(page, True))
    page.check("asked: magnified", lambda: magnified(page))
    page.check("asked: told", lambda: told(page))
    page.check("asked: over", lambda: over(page))


def phone(page):
    begin(page, page.url + page.channel)
    options(page, page.fits, "phone")
    belongs(page, False)
    over(page)
