#!/usr/bin/env python3
"""Static analysis of the inner loops of kernels for Arm.

usage: loop_share.py [--floor SHARE] OBJECT ...

Of each object: the straight loop with the most products an instruction, and what
llvm-mca makes of it on a Neoverse-N1, as a share of two SDOT pipes (two instructions a
cycle, 16 products each). Exit code 1 if an object's share is below the floor.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

OBJDUMP = "aarch64-linux-gnu-objdump"
# LLVM 17 is the first with a model of this processor; before, it takes a Cortex-A57.
MCA = [f"llvm-mca-{version}" for version in range(21, 16, -1)]
PEAK = 2 * 16

# Products an instruction, by mnemonic and shape of the result.
PRODUCTS = [
    (r"[su]dot\s+v\d+\.4s", 16),
    (r"[su]ml[as]?l2?\s+v\d+\.8h", 8),
    (r"[su]mull2?\s+v\d+\.8h", 8),
    (r"[su]ml[as]?l2?\s+v\d+\.4s", 4),
    (r"[su]mull2?\s+v\d+\.4s", 4),
]
BRANCH = re.compile(r"(?:b|b\.\w+|cbn?z\s.*,|tbn?z\s.*,)\s+([0-9a-f]+) <")


def products(loop):
    return sum(count for _, text in loop for shape, count in PRODUCTS
               if re.match(shape, text))


def instructions(path):
    listing = subprocess.run([OBJDUMP, "-d", "--no-show-raw-insn", path],
                             capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^\s*([0-9a-f]+):\s+(.*?)(?:\s*//.*)?$", listing, re.MULTILINE)
    return [(int(address, 16), text) for address, text in lines]


def inner_loop(code):
    """The straight loop with the most products an instruction, without its branch."""
    places = {address: place for place, (address, _) in enumerate(code)}
    loops = []
    for place, (address, text) in enumerate(code):
        branch = BRANCH.match(text)
        target = int(branch.group(1), 16) if branch else address
        if target < address and target in places:
            loop = code[places[target]:place]
            if not any(BRANCH.match(line) for _, line in loop):
                loops.append(loop)
    return max(loops, key=lambda loop: products(loop) / len(loop), default=[])


def cycles(mca, loop, iterations=200):
    text = subprocess.run(
        [mca, "-mtriple=aarch64", "-mcpu=neoverse-n1", f"-iterations={iterations}"],
        input="\n".join(line for _, line in loop), capture_output=True, text=True,
        check=True).stdout
    return int(re.search(r"Total Cycles:\s+(\d+)", text).group(1)) / iterations


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--floor", type=float, default=0.0)
    parser.add_argument("objects", nargs="+")
    options = parser.parse_args()
    mca = next((name for name in MCA if shutil.which(name)), None)
    if mca is None:
        sys.exit("loop_share.py: no llvm-mca, expected version 17 or newer")
    below = 0
    for path in options.objects:
        loop = inner_loop(instructions(path))
        if products(loop) == 0:
            sys.exit(f"loop_share.py: {path}: no loop of products")
        spent = cycles(mca, loop)
        share = products(loop) / spent / PEAK
        spills = sum(1 for _, text in loop if re.match(r"(ld|st).*\[sp", text))
        print(f"{pathlib.Path(path).stem:40} {products(loop):5} products in "
              f"{len(loop):3} instructions and {spent:6.2f} cycles, {spills} on the "
              f"stack: {100 * share:5.1f} % of two SDOT pipes")
        below += share < options.floor
    sys.exit(1 if below else 0)


if __name__ == "__main__":
    main()
