"""A small WebDriver client (W3C WebDriver over HTTP): Chromium's own driver and nothing else."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ENTER, ESCAPE, DOWN = "\ue007", "\ue00c", "\ue015"

# Finds the last visible element for a selector that contains a text.
FIND = """
const [selector, text] = arguments;
return [...document.querySelectorAll(selector)]
  .filter((node) => node.checkVisibility() && node.textContent.includes(text))
  .at(-1) ?? null;
"""


class Failure(Exception):
    """A check that did not hold; the message is one line."""


class Browser:
    """One headless Chromium with an empty profile. Use as a context manager."""

    def __init__(self, width, height, phone=False):
        self.whole = (width, height)
        self.pixels = 2 if phone else 1
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        driver = shutil.which("chromedriver")
        if not chromium or not driver:
            raise Failure("chromium and chromedriver are needed (Debian: chromium, chromium-driver)")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.base = f"http://127.0.0.1:{self._port()}"
        arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--window-size={width},{height}",
            f"--user-data-dir={self.profile.name}",
        ]
        options = {"binary": chromium, "args": arguments}
        if phone:
            options["mobileEmulation"] = {
                "deviceMetrics": {"width": width, "height": height, "pixelRatio": self.pixels, "touch": True}
            }
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{answer['sessionId']}"
        if not phone:
            # The window's frame takes room even without a screen.
            self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait(10)
            self.profile.cleanup()

    def _port(self):
        deadline = time.monotonic() + 20
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                return found[1]
            if time.monotonic() > deadline:
                break
        raise Failure("chromedriver did not say on which port it listens")

    def _call(self, method, path, body=None):
        data = None if method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Failure(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def devtools(self, command, parameters):
        return self._call(
            "POST", f"{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters}
        )

    def prefer(self, scheme):
        """Makes the system's colour scheme `dark` or `light`."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.devtools("Emulation.setEmulatedMedia", {"features": [feature]})

    def open(self, url):
        self._call("POST", f"{self.session}/url", {"url": url})

    def reload(self):
        self._call("POST", f"{self.session}/refresh")

    def script(self, code, *arguments):
        """Runs the body of a JavaScript function and gives what it returns."""
        return self._call(
            "POST", f"{self.session}/execute/sync", {"script": code, "args": list(arguments)}
        )

    def wait(self, what, code, *arguments, seconds=15):
        """Waits until the script returns something true, and gives it."""
        deadline = time.monotonic() + seconds
        while True:
            value = self.script(code, *arguments)
            if value:
                return value
            if time.monotonic() > deadline:
                raise Failure(f"waited {seconds} s in vain for {what}")
            time.sleep(0.1)

    def find(self, selector, text="", seconds=15):
        """The last visible element for a selector that contains `text`."""
        what = f"“{selector}”" + (f" with “{text}”" if text else "")
        return self.wait(what, FIND, selector, text, seconds=seconds)[ELEMENT]

    def _at(self, method, what, body, selector, text="", seconds=15):
        """Does something with an element, and gives what comes of it."""
        # A card may be redrawn or move between finding it and reading, filling or pressing it; another try is honest then.
        for attempt in range(4):
            try:
                node = self.find(selector, text, seconds)
                return self._call(method, f"{self.session}/element/{node}/{what}", body)
            except Failure as failure:
                again = "stale" in str(failure) or "intercepted" in str(failure)
                if not again or attempt == 3:
                    raise
                time.sleep(0.3)

    def click(self, selector, text="", seconds=15):
        self._at("POST", "click", None, selector, text, seconds)

    def type(self, selector, text):
        self._at("POST", "value", {"text": text}, selector)

    def press(self, *keys):
        """Sends keys to whatever has the focus."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        body = {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}
        self._call("POST", f"{self.session}/actions", body)

    def look_away(self):
        """Moves the pointer into the corner, where it brings nothing out."""
        move = {"type": "pointerMove", "duration": 0, "x": 1, "y": 1}
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move]}
        self._call("POST", f"{self.session}/actions", {"actions": [pointer]})

    def text(self, selector, text=""):
        return self._at("GET", "text", None, selector, text)

    def count(self, selector):
        return self.script("return document.querySelectorAll(arguments[0]).length", selector)

    def errors(self):
        """What the page's console complained about, the content policy included."""
        entries = self._call("POST", f"{self.session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self._call("GET", f"{self.session}/screenshot")))

    def cut(self, path, left, top, width, height):
        """A picture of a part of the window, in pixels of the page."""
        # Small enough to be put into a page that is read on any screen.
        scale = 1 if self.pixels == 1 else 0.75
        clip = {"x": left, "y": top, "width": width, "height": height, "scale": scale}
        taken = self.devtools("Page.captureScreenshot", {"format": "png", "clip": clip})
        path.write_bytes(base64.b64decode(taken["data"]))

    def size(self, width, height):
        """Makes the window this large, whatever screen there is."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": self.pixels, "mobile": self.pixels > 1}
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)
