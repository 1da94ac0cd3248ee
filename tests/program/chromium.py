"""A headless Chromium that opens pages from disk, over its debugging pipe."""

import base64
import collections
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
         "--remote-debugging-pipe"]
WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]  # drawn by the processor


def find():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Silence(RuntimeError):
    """No answer came in time."""


class Chromium:
    """`complaints` collects what the console shows of errors and warnings, and what was to be loaded but was not."""

    PATIENCE = 120  # seconds for any answer
    PATIENCE_OF_PAGES = 40  # seconds between two signs of life of a page that loads

    def __init__(self, program, has_webgl=False):
        self.profile = tempfile.TemporaryDirectory(prefix="picus-chromium-")
        self.words = tempfile.TemporaryFile()
        to_child, self.requests = os.pipe()
        self.answers, from_child = os.pipe()
        # Chromium reads descriptor 3 and writes descriptor 4; those of here must not be in the way.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_child, from_child)]

        def connect():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        flags = [*(flag for flag in FLAGS if flag != "--disable-gpu"), *WEBGL] if has_webgl else FLAGS
        self.process = subprocess.Popen([program, *flags, f"--user-data-dir={self.profile.name}", "about:blank"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=self.words, preexec_fn=connect, pass_fds=(3, 4))
        for end in (*ends, to_child, from_child):
            os.close(end)
        self.buffer, self.number = b"", 0
        self.complaints, self.requested, self.loaded = [], [], set()
        self.events = collections.deque(maxlen=8)  # names of the last ones, for messages
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Page.setLifecycleEventsEnabled", enabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.requests)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.answers)
        self.words.close()
        for _ in range(20):  # children of it may still write
            try:
                self.profile.cleanup()
                return
            except OSError:
                time.sleep(0.1)

    def receive(self, patience=PATIENCE):
        deadline = time.monotonic() + patience
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0.0, deadline - time.monotonic()))
            piece = os.read(self.answers, 1 << 20) if ready else b""
            if not piece:
                raise Silence(f"Chromium does not answer; its last events: {', '.join(self.events)}; its last words: "
                              f"{self.last_words()}")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def last_words(self):
        os.lseek(self.words.fileno(), 0, os.SEEK_SET)
        return self.words.read().decode(errors="replace")[-2000:]

    def note(self, message):
        method, given = message.get("method"), message.get("params", {})
        if method is None:
            return
        self.events.append(method)
        if method == "Page.lifecycleEvent" and given["name"] == "load":
            self.loaded.add(given["loaderId"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(given["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning", "assert"):
            self.complaints.append(f"console.{given['type']}: {given['args']}")
        elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{given['entry']['text']} {given['entry'].get('url', '')}")
        elif method == "Network.loadingFailed":
            self.complaints.append(f"not loaded: {given['errorText']}")
        elif method == "Network.requestWillBeSent":
            self.requested.append(given["request"]["url"])

    def ask(self, method, **given):
        self.number += 1
        request = {"id": self.number, "method": method, "params": given}
        if getattr(self, "session", None):
            request["sessionId"] = self.session
        os.write(self.requests, json.dumps(request).encode() + b"\0")
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def open(self, path, width, height, is_phone=False, scheme="light"):
        """Loads the page of a file to its end in a window of that size, in CSS pixels."""
        self.complaints.clear()
        self.requested.clear()
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if is_phone else 1,
                 mobile=is_phone)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        try:
            self.navigate(path)
        except Silence:  # on a loaded machine a page may be left half loaded for ever
            self.complaints.clear()
            self.requested.clear()
            self.navigate(path)

    def navigate(self, path):
        # The end of an earlier page's loading may be told late.
        loader = self.ask("Page.navigate", url="file://" + os.path.abspath(path))["loaderId"]
        while loader not in self.loaded:
            self.receive(self.PATIENCE_OF_PAGES)

    def evaluate(self, expression):
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def screenshot(self, path, full=False):
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
