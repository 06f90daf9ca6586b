"""Writes records of random models: random_records.py FOLDER --seed N --count N.

What torch does with models that nobody thought of, to be compared by `qconform parity`.
"""

import argparse
import json
import pathlib
import random
import sys
import warnings

import torch
from records import pipeline, random_models, random_settings

warnings.simplefilter("ignore")


def case(seed, only=None, narrow=False):
    rng = random.Random(seed ^ 0x5EED)
    model, batches = random_models.random_model(seed, only=only)
    is_qat = rng.random() < 0.2
    mapping = random_settings.mapping(rng, model, is_qat)
    backend = rng.choice(random_settings.BUILT_IN + ["native"] * 2 + ["x86"] * 2 + ["custom"] * 2)
    if backend == "custom":
        backend = random_settings.custom_backend(rng)
    custom, custom_json = random_settings.custom_settings(rng, model, batches, mapping)
    convert_mapping = random_settings.convert_mapping(rng, model, mapping, is_qat)
    engine = rng.choice(["fbgemm", "fbgemm", "x86", "qnnpack", "onednn"])
    if narrow and engine != "qnnpack":
        random_settings.narrow([mapping, convert_mapping])
        # Codes outside the calibrated range would be wider.
        batches[-1] = [x * 0.9 if x.is_floating_point() else x for x in batches[0]]
    return pipeline.Case(
        name=f"random_{seed}", model=model, inputs=batches, mapping=mapping,
        backend_config=backend, is_qat=is_qat, seed=seed, custom_config=custom,
        custom_json=custom_json, convert_mapping=convert_mapping, engines=(engine,))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--no-lowered", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--narrow", action="store_true",
                        help="7-bit activations: others saturate where there is no VNNI")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    folder = arguments.folder / "fx"
    folder.mkdir(parents=True, exist_ok=True)
    dropped = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        try:
            item = case(seed, arguments.only and arguments.only.split(","),
                        arguments.narrow)
            if arguments.no_lowered:
                item.stages = ("reference", "decomposed")
            record = pipeline.make_record(item)
        except Exception as error:  # noqa: BLE001 - a model that cannot be traced at all
            dropped += 1
            print(f"random_{seed}: no record: {pipeline.error_text(error)}", file=sys.stderr)
            continue
        path = folder / f"random_{seed:06}.json"
        path.write_text(json.dumps(record, separators=(",", ":")) + "\n")
    print(f"{arguments.count - dropped} records, {dropped} models without one")


if __name__ == "__main__":
    main()
