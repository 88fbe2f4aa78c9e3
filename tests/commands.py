"""Commands that tests run: in a process group of their own, within a time."""
import os
import signal
import subprocess
import time
from dataclasses import dataclass


class Failure(Exception):
    """A case did not do what its program promises. Carries what is needed to see it again."""

    def __init__(self, what, command=None, output=""):
        super().__init__(what)
        self.command = command
        self.output = output


@dataclass
class Outcome:
    command: list
    code: int
    stdout: str
    stderr: str
    seconds: float

    def text(self):
        return (self.stdout + self.stderr).strip()


def run(command, timeout, stdin="", environment=None, cwd=None):
    """Run a command in its own process group; nothing of it survives a timeout."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               errors="replace", start_new_session=True, cwd=cwd,
                               env=dict(os.environ, **(environment or {})))
    try:
        out, err = process.communicate(stdin, timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise Failure(f"no end after {timeout:g} s", command, out + err) from None
    return Outcome(command, process.returncode, out, err, time.monotonic() - start)
