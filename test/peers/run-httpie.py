"""Runs commands of HTTPie in one process: a JSON list of argument lists on standard input."""
import json
import os
import sys
import tempfile

from httpie.context import Environment
from httpie.core import main

nothing = open(os.devnull, "w")
for words in json.load(sys.stdin):
    with tempfile.TemporaryFile("w+") as errors:
        environment = Environment(
            stdin=None, stdin_isatty=True, stdout=nothing, stdout_isatty=False, stderr=errors
        )
        status = main(["http", *words], env=environment)
        errors.seek(0)
        print(int(status), json.dumps(errors.read()), flush=True)
