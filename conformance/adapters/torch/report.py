"""Runs torch as a pipeline on the contract of every built-in config and prints a report.

    python report.py QCONFORM [JOURNALS] > reports/torch_pipeline.md

The python that runs this must have torch. Every config is asked in both modes: torch's,
where what torch does is right, and strict, where what is declared is. JOURNALS keeps the
runs (default: a temporary folder); a run that lies there already is not made again.
disagreements.csv says to which class each disagreement belongs; one that it does not name,
and a row that names none, make the exit code 1.
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
MODES = ("torch", "strict")
CLASSES = ("torch", "ours", "definition")


def run(qconform, config, mode, journal, answers):
    if journal.exists():
        return
    command = f"pipeline:{sys.executable} {HERE / 'torch_pipeline.py'} --answers {answers}"
    # Exit code 1 is a disagreement, which is what the report is about.
    done = subprocess.run([qconform, "run", "--backend", command, "--config", config,
                           "--mode", mode, "--timeout", "600", "--out", journal],
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


def names(row, mode, record):
    detail = record.get("details", [""])[0]
    return (row["mode"] in ("", mode) and row["cause"] in ("", record.get("cause", ""))
            and fnmatch.fnmatchcase(record["id"], row["id"])
            and fnmatch.fnmatchcase(detail, row["detail"] or "*"))


def table(mode, lines):
    print(f"## In {mode} mode\n")
    kinds = [*CLASSES, "unclassed"]
    print("| config | cases | agree | " + " | ".join(kinds) + " |")
    print("|--|--|--|" + "--|" * len(kinds))
    for config, total, agree, counts in lines:
        print(f"| {config} | {total} | {agree} | "
              + " | ".join(str(counts[kind]) for kind in kinds) + " |")
    print()


def main():
    qconform = sys.argv[1]
    room = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    room.mkdir(exist_ok=True)
    known, unclassed = classes(), []
    lines, groups = collections.defaultdict(list), collections.Counter()
    for config in CONFIGS:
        with tempfile.TemporaryDirectory() as answers:
            for mode in MODES:
                run(qconform, config, mode, room / f"{config}.{mode}.jsonl", answers)
    for mode in MODES:
        for config in CONFIGS:
            found = records(room / f"{config}.{mode}.jsonl")
            counts = collections.Counter()
            for record in (record for record in found if not agrees(record)):
                row = next((i for i, row in enumerate(known) if names(row, mode, record)), None)
                if row is None:
                    unclassed.append((mode, record))
                    counts["unclassed"] += 1
                else:
                    counts[known[row]["class"]] += 1
                    groups[row] += 1
            lines[mode].append((config, len(found), sum(map(agrees, found)), counts))
    print("# Real torch as a pipeline\n")
    print(f"torch {torch.__version__} on the contract of every built-in config, printed by "
          "`conformance/adapters/torch/report.py`. In torch mode what torch does is right; in "
          "strict mode what its documentation declares is.\n")
    for mode in MODES:
        table(mode, lines[mode])
    print("*torch*: a defect of torch. *ours*: a fault of the reference, to be fixed. "
          "*definition*: two readings of what the answer is; `CASES` numbers are those of the "
          "log of public reports.\n")
    print("## Disagreements\n")
    print("| cases | mode | cause | detail | class | how many | CASES | reason |")
    print("|--|--|--|--|--|--|--|--|")
    for i, row in enumerate(known):
        print(f"| `{row['id']}` | {row['mode'] or 'both'} | {row['cause'] or 'any'} | "
              f"{row['detail'] or 'any'} | {row['class']} | {groups[i]} | {row['number']} | "
              f"{row['reason']} |")
    if not known:
        print("| none | | | | | | | |")
    for mode, record in unclassed:
        print(f"\nunclassed in {mode} mode: `{record['id']}` {record['verdict']} "
              f"{record.get('cause', '')}: {' '.join(record.get('details', []))[:300]}")
    unused = [row["id"] for i, row in enumerate(known) if not groups[i]]
    for id_ in unused:
        print(f"\nunused: `{id_}`")
    sys.exit(1 if unclassed or unused else 0)


if __name__ == "__main__":
    main()
