"""The steps of a debate on the page: a loaded proposition is made neutral, edited and started, the team says what it
thinks before and after, asks all three, brings evidence, has something made clear, and brings evidence on a hinge.

Each takes the running checks (see `checks.py`), and they follow one another in the order of `STEPS`.
"""

import os

from checks import COMPOSER
from votes import PRIVATE, answered, boxes, choose, fill, submit, verb
from webdriver import ENTER, Failure

RAW = "Shouldn't we finally end this exhausting five-day grind?"
PACE = int(os.environ.get("PAGE_DEBATE_PACE", "1"))
CARD = ".message:not(.ephemeral)"
PROPOSITION = f"{CARD}:has({verb('prop_edit')})"
# In the thread; the live card, which has the same buttons, stands in the channel and is answered there.
STARTED = f"{CARD}:has({verb('clarify')}):not(:has({verb('cancel')}))"
TURN = f"{CARD}:has([data-custom-id*=':question:pro'])"
OPINIONS = f"{CARD}:has({verb('opinion_after')})"
HINGES = f"{CARD}:has({verb('hinge')})"
CLAIM = "Last June we answered 412 first requests, and 31 of them on a Friday."
SAYS = """
const [selector, text] = arguments;
return [...document.querySelectorAll(selector)].some((node) => node.textContent.toLowerCase().includes(text.toLowerCase()));
"""


def says(page, text, seconds=60, where=CARD):
    """Waits until some message in the thread says this."""
    page.browser.wait(f"“{text}”", SAYS, where, text, seconds=seconds * PACE)


def opinion(page, name, stage, what):
    page.act_as(name)
    before = page.browser.count(PRIVATE)
    page.browser.click(f'[data-custom-id*=":opinion_{stage}:{what}"]')
    return answered(page, before)


def form(page, press, **written):
    """Opens a form, writes into it and sends it; gives the private answer."""
    browser = page.browser
    press()
    browser.find("dialog.modal")
    for name, text in written.items():
        fill(page, name, text)
    before = browser.count(PRIVATE)
    submit(page)
    return answered(page, before)


def begin(page, preset=None):
    browser = page.browser
    browser.click(COMPOSER)
    browser.type(COMPOSER, "/deba")
    browser.find('.suggestion[data-command="debate"]')
    browser.press(ENTER)
    browser.type('.command-form [name="proposition"]', RAW)
    if preset:
        browser.click('[data-add-option="preset"]')
        browser.click(".suggestion", preset)
    page.picture("debate-form")
    before = browser.count(".thread-card")
    browser.click(".command-form .send")
    browser.wait("a thread to be opened", "return document.querySelectorAll('.thread-card').length > arguments[0]", before, seconds=30)
    browser.click(".message .thread-card", RAW[:20])
    browser.wait("the thread", "return document.querySelector('.crumb')")


def command(page):
    page.act_as("Ada")
    begin(page, "full")


def proposition(page):
    page.browser.find(PROPOSITION, seconds=30 * PACE)
    page.picture("debate-proposition")
    page.cut("readme-debate-proposition", PROPOSITION)


def edit(page):
    """A question without one is refused and given back; a right edit stands on the card."""
    def press():
        page.browser.click(f"{PROPOSITION} {verb('prop_edit')}")
    page.browser.click(f"{PROPOSITION} {verb('prop_edit')}")
    page.browser.find("dialog.modal")
    if boxes(page) != ["question", "where", "when", "whom", "background"]:
        raise Failure(f"the form asks for {boxes(page)}")
    page.picture("debate-edit")
    fill(page, "question", "Hello")
    before = page.browser.count(PRIVATE)
    submit(page)
    said = answered(page, before)
    if "Hello" not in said:
        raise Failure(f"a proposition that is none is answered with {said[:300]}")
    form(page, press, when="for a trial of three months")
    says(page, "for a trial of three months", where=f"{PROPOSITION} .embed")


def before(page):
    said = opinion(page, "Ben", "before", "for")
    opinion(page, "Ben", "before", "undecided")
    opinion(page, "Chloé", "before", "against")
    opinion(page, "Ada", "before", "undecided")
    page.picture("debate-before")
    if "nobody sees" not in said.lower():
        raise Failure(f"an opinion is answered with {said[:200]}")
    says(page, "3 have voted", where=f"{PROPOSITION} .embed")


def start(page):
    """Whoever did not begin it may not start it; the first vote closes with the start."""
    page.act_as("Ben")
    count = page.browser.count(PRIVATE)
    page.browser.click(f"{PROPOSITION} {verb('prop_start')}")
    if "started" not in answered(page, count):
        raise Failure("somebody else's Start is taken")
    page.act_as("Ada")
    page.browser.click(f"{PROPOSITION} {verb('prop_start')}")
    page.browser.wait("the buttons to go", "return !document.querySelector(arguments[0])", PROPOSITION, seconds=30)


def opening(page):
    says(page, "Pro · opening")
    says(page, "Con · opening")
    page.picture("debate-opening")


def evidence(page):
    """Evidence without a claim is refused; with one, it is shown to all and both sides take it up."""
    def press():
        page.browser.click(f"{TURN} {verb('evidence')}")
    page.act_as("Chloé")
    said = form(page, press, claim="\u200b", source="our ticket system")
    if "claim" not in said or "our ticket system" not in said:
        raise Failure(f"evidence without a claim is answered with {said[:300]}")
    said = form(page, press, claim=CLAIM, source="our ticket system")
    if "E1" not in said:
        raise Failure(f"evidence is answered with {said[:300]}")
    says(page, CLAIM)
    page.picture("debate-evidence")


def clarify(page):
    page.act_as("Ben")
    form(page, lambda: page.browser.click(f"{STARTED} {verb('clarify')}"), text="Does “the same pay” mean the monthly pay?")
    page.act_as("Ada")


def ask(page):
    """Pro by its card's button, Con by a command, the moderator by a mention."""
    browser = page.browser
    form(page, lambda: browser.click(f'{CARD} [data-custom-id*=":question:pro"]'), text="What would you stop doing first?")
    count = browser.count(PRIVATE)
    browser.click(COMPOSER)
    browser.type(COMPOSER, "/ask ")
    browser.type('.command-form [name="question"]', "Who exactly answers on the free day?")
    browser.click('[data-add-option="to"]')
    browser.click(".suggestion", "Con")
    browser.click(".command-form .send")
    answered(page, count)
    browser.click(COMPOSER)
    browser.type(COMPOSER, "@quo")
    browser.find(".suggestion", "Quorum")
    browser.press(ENTER)
    browser.type(COMPOSER, "Moderator, who is winning?")
    browser.press(ENTER)
    for who in ("Pro answers", "Con answers", "moderator answers"):
        says(page, who)
    page.picture("debate-answers")


def taken_up(page):
    """Both sides have acknowledged the evidence, and what was unclear was made clear."""
    seen = """
    const cards = [...document.querySelectorAll('.message:not(.ephemeral) .embed')].filter((node) => node.textContent.includes('E1'));
    return ['pro ·', 'con ·'].every((side) => cards.some((node) => node.textContent.toLowerCase().includes(side)));
    """
    page.browser.wait("both sides to take the evidence up", seen, seconds=120 * PACE)
    says(page, "monthly pay of today" if PACE == 1 else "the same pay", seconds=120)
    page.picture("debate-taken-up")


def talk(page):
    for title in ("Con · answers", "Con · rebuttal", "Pro · closing", "Where they disagree"):
        says(page, title, seconds=120)
        page.picture(f"debate-{title.split(' · ')[-1].replace(' ', '-').lower()}")


def after(page):
    page.browser.find(OPINIONS, seconds=60 * PACE)
    opinion(page, "Ben", "after", "for")
    opinion(page, "Chloé", "after", "against")
    opinion(page, "Ada", "after", "for")
    page.picture("debate-after")


def hinge(page):
    """Evidence on a hinge has that hinge looked at again, and nothing else."""
    page.act_as("Chloé")
    def press():
        choose(page, HINGES, "hinge", 0)
    said = form(page, press, claim="The firm next door tried it for six weeks; first answers took as long as before.", source="their office manager")
    if "open question 1" not in said:
        raise Failure(f"evidence on a hinge is answered with {said[:300]}")
    says(page, "looked at again", seconds=120)
    page.picture("debate-hinge")


def swing(page):
    browser = page.browser
    page.act_as("Ada")
    browser.click(f"{OPINIONS} {verb('opinion_close')}")
    browser.click(f"{PRIVATE} {verb('opinion_close_sure')}")
    browser.wait("the swing", "return [...document.querySelectorAll('.message:not(.ephemeral):has(.picture)')].some((node) => /opinion/i.test(node.textContent))", seconds=30)
    drawn = """
    const last = [...document.querySelectorAll('.picture img')].at(-1);
    return last && (last.loading = 'eager', last.complete && last.naturalWidth > 0 && last.alt);
    """
    browser.wait("the swing as a picture with a description", drawn, seconds=30)
    page.picture("debate-swing")
    page.cut("readme-debate-swing", ".message:not(.ephemeral):has(.picture)")


def over(page):
    """After the end, a question is answered from the record, and the windows for opinions are closed."""
    browser = page.browser
    form(page, lambda: browser.click(f'{CARD} [data-custom-id*=":question:con"]'), text="What was your best point in the end?")
    says(page, "What was your best point")
    page.cut("readme-debate-synthesis", f"{CARD}:has([data-custom-id$=':whole:synthesis'])")


def phone(page):
    """The transcript on a narrow screen, from its top to its end."""
    browser = page.browser
    for name, text in (("proposition", "proposition"), ("opening", "Pro · opening"), ("rebuttal", "Con · rebuttal"), ("synthesis", "Where they disagree")):
        show = """
        const [selector, text] = arguments;
        const node = [...document.querySelectorAll(selector)].find((node) => node.textContent.toLowerCase().includes(text.toLowerCase()));
        node?.scrollIntoView();
        return Boolean(node);
        """
        browser.wait(f"“{text}” on a phone", show, CARD, text)
        page.fits(f"phone-debate-{name}")


STEPS = [command, proposition, edit, before, start, opening, evidence, clarify, ask, taken_up, talk, after, hinge, swing, over]


def run(page, steps=None):
    """Runs the steps in their order, each as a check."""
    for one in steps or STEPS:
        page.check(f"debate: {one.__name__.replace('_', ' ')}", lambda one=one: one(page))
    page.debate = page.browser.script("return location.hash")
