#!/usr/bin/python3
"""scripts/order_parts.py finds the parts that the errors of a report were made of. Usage: order_parts_test.py SCRIPTS FOLDER"""

import json
import os
import re
import subprocess
import sys

scripts, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
path = os.path.join(folder, "parts.json")

A, B = 2.5, 300.0
steps = [0.1, 0.05, 0.02, 0.01, 0.005]


def quantity(name):
    return {"name": name, "order": 1.5, "order_error": 0.1}


# The second quantity is of second order alone, the third exact.
rows = [{"step": h, "errors": [A * h + B * h * h, B * h * h, 0.0]} for h in steps]
rows.append({"step": 0.001, "errors": []})  # a run that failed
scheme = {"scheme": "ds", "quantities": [quantity("both"), quantity("second"), quantity("none")], "rows": rows}
with open(path, "w") as file:
    json.dump({"benchmarks": [{"name": name, "studies": [{"id": "study", "schemes": [scheme]}]} for name in ("one", "other")]}, file)

text = subprocess.run([os.path.join(scripts, "order_parts.py"), path, "one"], check=True, capture_output=True, text=True).stdout
lines = text.splitlines()
assert len(lines) == 2 and all(line.startswith("one study ds ") for line in lines), text
a, b = (float(re.search(rf" {part} = (\S+?),", lines[0])[1]) for part in "ab")
assert abs(a / A - 1) < 1e-2 and abs(b / B - 1) < 1e-2, lines[0]
assert "equal at 0.0083 s" in lines[0] and "fit within 0 %" in lines[0], lines[0]
assert "from step to step 2.00 2.00 2.00 2.00;" in lines[1], lines[1]
