"""Each rung that claims to be right is clean under the checker; one wrong on purpose is not.

The checks stay short. A count of accesses does not depend on the machine, so they are counted: a
rung takes a few seconds and all take a minute on two cores, or, with --quick, a third of that.
.ci/run sets LADDER_WHOLE; without it the checks are quick.

every_rung.py <folder of the programs>
"""

import json
import os
import subprocess
import sys

whole = "LADDER_WHOLE" in os.environ
MOST_OF_RUNG, MOST_ON_AVERAGE = (30_000_000, 4_300_000) if whole else (6_000_000, 600_000)

command = [sys.argv[1] + "/ladder", "check-kernels", "--timeout", "600", "--json"]
done = subprocess.run(
    command if whole else [*command, "--quick"], stdout=subprocess.PIPE, text=True
)
rungs = json.loads(done.stdout)
failed = done.returncode != 0
for rung in rungs:
    if not rung["as_expected"]:
        print(json.dumps(rung, indent=2))
    if not 0 < rung["accesses"] <= MOST_OF_RUNG:
        name = f"{rung['path']} as {rung['operation']}"
        print(f"{name}: {rung['accesses']:,} accesses, {MOST_OF_RUNG:,} at most")
        failed = True
in_all = sum(rung["accesses"] for rung in rungs)
most = MOST_ON_AVERAGE * len(rungs)
print(f"{len(rungs)} rungs, {in_all:,} accesses; {most:,} at most")
sys.exit(failed or in_all > most)
