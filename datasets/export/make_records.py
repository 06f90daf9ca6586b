"""Writes our own records of torch: make_records.py FOLDER.

A file that differs from what torch does now by roundings only (the linear algebra of another
machine) is left as it is; with --check nothing is written and a difference is an error.
"""

import argparse
import json
import pathlib
import sys
import warnings

import own_models
import torch
from rebuild import differences
from records import config_calls, match_tables, matrix, observer_tables, pipeline, tables

warnings.simplefilter("ignore")
VERSION = "2.14.1"


def own_records():
    """(path below the folder, record)."""
    for index in range(len(own_models.CASES)):
        made = own_models.make(index)
        yield f"fx/{made.name}.json", pipeline.make_record(made)
    for index, (name, make, shape) in enumerate(own_models.matrix_models()):
        seed = 7500 + index

        def seeded(make=make, seed=seed):
            torch.manual_seed(seed)
            return make()

        torch.manual_seed(seed)
        yield f"fx_matrix/{name}.json", matrix.make_record(
            name, seeded, own_models.batches(shape), seed)
    yield "match.json", match_tables.match_table(21, graphs=8)
    yield "observers.json", observer_tables.observers_table(22, cases=60)
    yield "fake_quant.json", tables.fake_quant_table(23, cases=25)
    yield "numerics.json", tables.numerics_table(24)
    yield "config_api.json", config_calls.config_api_table()
    yield "qconfig.json", config_calls.constraint_table(25, observers=40, constraints=25)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if not torch.__version__.startswith(VERSION):
        sys.exit(f"records are those of torch {VERSION}, this is {torch.__version__}")
    torch.set_num_threads(1)
    written, kept = [], set()
    for name, record in own_records():
        path = arguments.folder / name
        kept.add(path)
        text = json.dumps(record, separators=(",", ":")) + "\n"
        before = json.loads(path.read_text()) if path.exists() else None
        found = None if before is None else next(differences(record, before), None)
        if before is not None and found is None:
            continue
        written.append(name)
        print(f"{name}: {'new' if before is None else found[0]}")
        if not arguments.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for path in sorted(set(arguments.folder.rglob("*.json")) - kept):
        print(f"{path.relative_to(arguments.folder)}: made by nobody")
        written.append(str(path))
        if not arguments.check:
            path.unlink()
    print(f"{len(kept)} records, {len(written)} of them changed")
    return 1 if arguments.check and written else 0


if __name__ == "__main__":
    sys.exit(main())
