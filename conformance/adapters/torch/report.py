"""Runs torch as a pipeline on the contract of every built-in config and prints a report.

    python report.py QCONFORM [JOURNALS] > reports/torch_pipeline.md

The python that runs this must have torch. JOURNALS keeps the runs (default: a temporary
folder); a run that lies there already is not made again. disagreements.csv says to which
class each disagreement belongs; one that it does not name fails.
"""

import collections
import csv
import fnmatch
import json
import pathlib
import subprocess
import sys
import tempfile

import torch

HERE = pathlib.Path(__file__).resolve().parent
CONFIGS = ("native native_and_fp16 fbgemm x86 qnnpack xnnpack onednn tensorrt "
           "executorch").split()


def run(qconform, config, journal):
    if journal.exists():
        return
    command = f"pipeline:{sys.executable} {HERE / 'torch_pipeline.py'}"
    # Exit code 1 is a disagreement, which is what the report is about.
    done = subprocess.run([qconform, "run", "--backend", command, "--config", config,
                           "--timeout", "120", "--out", journal],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)


def records(journal):
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    return [line for line in lines if line["record"] == "case"]


def classes():
    with open(HERE / "disagreements.csv", newline="") as file:
        return list(csv.DictReader(file))


def agrees(record):
    return record["verdict"] in ("PASS", "PASS_SCHEME")


def main():
    qconform = sys.argv[1]
    room = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    room.mkdir(exist_ok=True)
    known, unclassed = classes(), []
    table, groups = [], collections.Counter()
    for config in CONFIGS:
        journal = room / f"{config}.jsonl"
        run(qconform, config, journal)
        found = records(journal)
        counts = collections.Counter()
        for record in found:
            if agrees(record):
                continue
            row = next((row for row in known
                        if fnmatch.fnmatchcase(record["id"], row["id"])
                        and row["cause"] in ("", record.get("cause", ""))), None)
            if row is None:
                unclassed.append(record)
                counts["unclassed"] += 1
            else:
                counts[row["class"]] += 1
                groups[row["id"], row["cause"]] += 1
        table.append((config, len(found), sum(map(agrees, found)), counts))
    kinds = ["torch", "ours", "definition", "unclassed"]
    print("# Real torch as a pipeline\n")
    print(f"torch {torch.__version__} on the contract of every built-in config, in torch mode; "
          "printed by `conformance/adapters/torch/report.py`.\n")
    print("| config | cases | agree | " + " | ".join(kinds) + " |")
    print("|--|--|--|" + "--|" * len(kinds))
    for config, total, agree, counts in table:
        print(f"| {config} | {total} | {agree} | "
              + " | ".join(str(counts[kind]) for kind in kinds) + " |")
    print("\n*torch*: a defect of torch. *ours*: a fault of the reference, to be fixed. "
          "*definition*: two readings of what the answer is.\n")
    print("## Disagreements\n")
    print("| cases | class | how many | which case of CASES | reason |")
    print("|--|--|--|--|--|")
    for row in known:
        count = groups[row["id"], row["cause"]]
        if count:
            print(f"| `{row['id']}` {row['cause']} | {row['class']} | {count} | {row['number']} | "
                  f"{row['reason']} |")
    if not groups:
        print("| none | | | | |")
    for record in unclassed:
        print(f"\nunclassed: `{record['id']}` {record['verdict']} {record.get('cause', '')}: "
              f"{' '.join(record.get('details', []))[:300]}")
    sys.exit(1 if unclassed else 0)


if __name__ == "__main__":
    main()
