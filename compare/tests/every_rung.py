"""Each rung that claims to be right is clean under the checker, and the one that is wrong on purpose is not.

And the checks stay short: 5 s for a rung, and 3 minutes for all, on two cores. A count of accesses does not depend on the machine, so they are
counted. Arguments: ladder.
"""

import json
import subprocess
import sys

MOST_OF_RUNG, MOST_OF_ALL = 30_000_000, 450_000_000

ladder = sys.argv[1]
done = subprocess.run(
    [ladder, "check-kernels", "--timeout", "600", "--json"], stdout=subprocess.PIPE, text=True
)
rungs = json.loads(done.stdout)
failed = done.returncode != 0
for rung in rungs:
    if not rung["as_expected"]:
        print(json.dumps(rung, indent=2))
    if not 0 < rung["accesses"] <= MOST_OF_RUNG:
        print(
            f"{rung['path']} as {rung['operation']}: {rung['accesses']:,} accesses, {MOST_OF_RUNG:,} at most"
        )
        failed = True
in_all = sum(rung["accesses"] for rung in rungs)
print(f"{len(rungs)} rungs, {in_all:,} accesses; {MOST_OF_ALL:,} at most")
sys.exit(failed or in_all > MOST_OF_ALL)
