"""Drives the playground's page through a debate and the bot's private panels, as people would.

    debated.py URL              or  PLAYGROUND_URL=... debated.py

What `page.py` says of its surroundings holds here, too. It is a script of its own so that both can run side by side.
"""

import asked
import debate
from checks import Checks, begin
from webdriver import Browser


class Debated(Checks):
    """The checks, in the order in which somebody would do these things; what was opened at a desk is looked at on a phone."""

    def __init__(self, url, pictures):
        super().__init__(url, pictures)
        # The channel whose threads the sessions are.
        self.channel = ""
        self.debate = None

    def run(self):
        with Browser(1280, 900) as self.browser:
            self.browser.prefer("dark")
            self.browser.open(self.url)
            self.check("opens", self.opens)
            debate.run(self)
            asked.desktop(self)
            self.check("console", self.console)
        with Browser(390, 844, phone=True) as self.browser:
            self.browser.prefer("light")
            for name in ("phone_debate", "phone_asked", "console"):
                self.check(name.replace("_", " "), getattr(self, name))

    def phone_debate(self):
        self.visit(self.debate)
        debate.phone(self)

    def phone_asked(self):
        asked.phone(self)


begin(Debated)
