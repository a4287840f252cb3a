"""./ladder test -R builds the programs of the tests with a matching name: which_programs.cmake
finds the program of each test by the test's name, here of every 37th.

programs_of_tests.py <source folder> <folder of the programs>
"""

import json
import os
import re
import subprocess
import sys

source, build = sys.argv[1], os.path.dirname(sys.argv[2])
EVERY = 37  # a tenth of a second each


def output_of(*command, **environment):
    return subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, **environment}
    ).stdout


listed = json.loads(output_of("ctest", "--test-dir", build, "--show-only=json-v1"))
missing = []
tests = [test for test in listed["tests"] if "/" in test.get("command", [""])[0]]
for test in tests[::EVERY]:
    program = os.path.basename(test["command"][0])
    if not program.endswith(("_tests", "test_reports", "_clang", "_cuda")):
        continue  # a command
    pattern = "^" + re.sub("[^A-Za-z0-9_ ]", ".", test["name"]) + "$"
    targets = output_of(
        "cmake",
        *("-D", f"TESTS={build}/programs_of_tests.cmake"),
        *("-P", f"{source}/compare/tests/which_programs.cmake"),
        LADDER_PATTERN=pattern,
    )
    if program not in targets.split():
        missing.append(f"{test['name']!r} is a test of {program}; built is {targets.split()}")
print("\n".join(missing))
sys.exit(1 if missing or not tests else 0)
