"""What the scripts that drive the page have in common: counting checks, pictures, what fits on a phone."""

import os
import pathlib
import sys
import tempfile

from webdriver import Failure

# Everything that is wider than its frame without scrolling in itself.
OVERFLOWING = """
const frames = [document.documentElement, ...document.querySelectorAll("#timeline, #composer, #drawer, #channel-header, dialog")];
return frames.filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.id || node.tagName);
"""
# What people with a screen reader or without a mouse would stumble over, by axe's rules: each with the first place.
STUMBLES = """
const { violations } = await axe.run(document, { resultTypes: ["violations"] });
return violations.map(({ id, nodes }) => `${id} (${nodes.length}) at ${nodes[0].target} ${nodes[0].html.slice(0, 160)}`);
"""
SAYS = """
const [selector, text] = arguments;
return [...document.querySelectorAll(selector)].some((node) => node.textContent.includes(text));
"""
# Scrolls to the last one that says this.
SHOW = """
const [selector, text] = arguments;
const node = [...document.querySelectorAll(selector)].filter((node) => node.textContent.includes(text)).at(-1);
node?.scrollIntoView();
document.getElementById('timeline').scrollBy(0, -8);
return Boolean(node);
"""
COMPOSER = "#composer-text"
BOT_MESSAGE = ".message:has(.message-byline .app-tag)"
# A message that everybody sees.
CARD = ".message:not(.ephemeral)"
SMALL_TARGETS = """
const controls = "#channel-header button, .composer-line button, .component-row .button, .select, #channels button, .add-option, .menu-entry";
return [...document.querySelectorAll(controls)]
  .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height > 0)
  .filter((node) => node.getBoundingClientRect().height < 39.5)
  .map((node) => node.getAttribute("aria-label") || node.textContent.slice(0, 30));
"""


# The text of axe-core's script, where there is one (`.ci/run` fetches it).
AXE = pathlib.Path(os.environ["PAGE_AXE"]).read_text(encoding="utf-8") if "PAGE_AXE" in os.environ else ""


class Checks:
    """Checks that are counted; one that fails does not keep the next from running."""

    def __init__(self, url, pictures):
        self.url = url
        self.pictures = pictures
        self.passed = 0
        self.failed = 0
        self.browser = None

    def check(self, name, action):
        try:
            action()
        except Failure as failure:
            self.failed += 1
            print(f"FAILED {name}: {failure}", flush=True)
            self.picture(f"failed-{self.failed}")
            # What a failed check left open must not fail the next ones.
            self.browser.script("for (const node of document.querySelectorAll('dialog')) node.close()")
        else:
            self.passed += 1
            print(f"ok {name}", flush=True)

    def opens(self):
        browser = self.browser
        browser.find(".channel", seconds=30)
        browser.find(COMPOSER)
        browser.wait("the bot to be online", "return document.getElementById('banner').hidden", seconds=60)
        browser.wait("the page's title", "return document.title.includes('Quorum playground')")
        self.picture("desktop-start")

    def visit(self, address):
        if not address:
            raise Failure("there is no thread to open")
        # Opened as a new page: an address that differs in its fragment alone is no navigation.
        self.browser.open("about:blank")
        self.browser.open(self.url + address)
        self.browser.find(f"{BOT_MESSAGE} .embed")

    def says(self, text, seconds=60, where=CARD):
        """Waits until some message says this."""
        self.browser.wait(f"“{text}”", SAYS, where, text, seconds=seconds)

    def picture(self, name):
        try:
            self.browser.screenshot(self.pictures / f"{name}.png")
        except Failure as failure:
            print(f"   (no picture {name}: {failure})")

    def cut(self, name, *selectors):
        """A picture of what these show, the last of each, one below the other."""
        around = """
        const nodes = arguments[0].map((selector) => [...document.querySelectorAll(selector)].at(-1));
        if (nodes.some((node) => !node)) return null;
        nodes[0].scrollIntoView({ block: 'start' });
        document.getElementById('timeline').scrollBy(0, -2);
        const all = nodes.map((node) => node.getBoundingClientRect());
        const frame = document.getElementById('timeline').getBoundingClientRect();
        const top = Math.max(Math.min(...all.map((one) => one.top)) - 2, frame.top);
        const bottom = Math.min(Math.max(...all.map((one) => one.bottom)) + 6, frame.bottom);
        const shown = nodes.flatMap((node) => [...node.querySelectorAll('.embed, .component-row > *')]);
        const right = Math.max(...shown.map((node) => node.getBoundingClientRect().right));
        return [frame.left, top, Math.min(right + 16, frame.right) - frame.left, bottom - top];
        """
        # What only a pointer brings out has no place in a picture of a card.
        bare = "for (const node of document.querySelectorAll('.message-toolbar')) node.style.visibility = arguments[0]"
        width, height = self.browser.whole
        self.browser.size(min(width, 1000), 2200)
        self.browser.script(bare, "hidden")
        self.browser.look_away()
        try:
            part = self.browser.wait(f"what {name} shows", around, list(selectors))
            self.browser.cut(self.pictures / f"{name}.png", *part)
        except Failure as failure:
            print(f"   (no picture {name}: {failure})")
        finally:
            self.browser.script(bare, "")
            self.browser.size(width, height)

    def console(self):
        self.accessible()
        errors = self.browser.errors()
        if errors:
            raise Failure(f"{len(errors)} errors in the console, the first: {errors[0][:200]}")

    def accessible(self):
        """Fails where axe finds anything. Without axe, nothing is looked for."""
        if not AXE:
            return
        if not self.browser.script("return Boolean(window.axe)"):
            self.browser.script(AXE + ";window.axe = axe;")
        stumbles = self.browser.script(f"return (async () => {{ {STUMBLES} }})()")
        if stumbles:
            raise Failure("axe: " + "; ".join(stumbles))

    def fits(self, name):
        self.picture(name)
        self.accessible()
        wide = self.browser.script(OVERFLOWING)
        if wide:
            raise Failure(f"{name}: wider than the screen: {', '.join(wide)}")
        small = self.browser.script(SMALL_TARGETS)
        if small:
            raise Failure(f"{name}: less than 40 pixels high: {', '.join(small[:5])}")

    def act_as(self, name):
        """Becomes the member of this name by one press in the header."""
        self.browser.click(f'.actor[aria-label="Act as {name}"]')
        pressed = """
        const mine = document.querySelector('.actor[aria-pressed=true]');
        return mine?.getAttribute('aria-label') === 'Act as ' + arguments[0];
        """
        self.browser.wait(f"being {name}", pressed, name)


def begin(checks):
    """Runs the checks of a class against the playground that the command line or the environment names."""
    url = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PLAYGROUND_URL", "http://127.0.0.1:8787/")
    folder = os.environ.get("PAGE_SCREENSHOTS") or tempfile.mkdtemp(prefix="quorum-page-")
    pictures = pathlib.Path(folder)
    pictures.mkdir(parents=True, exist_ok=True)
    page = checks(url if url.endswith("/") else url + "/", pictures)
    try:
        page.run()
    except (Failure, OSError) as failure:
        page.failed += 1
        print(f"FAILED {failure}")
    print(f"pictures: {pictures}")
    print(f"{page.passed} passed, {page.failed} failed")
    sys.exit(1 if page.failed else 0)
