"""Exports the model of the tutorial: a small untrained network that opens a door or not.

Run once: python door.py ../../reference/tutorial
Writes door.graph.json, door.safetensors and calibration.safetensors. The seed is fixed.
"""

import pathlib
import sys

import export_graph
import safetensors_file
import torch
from torch import nn

SEED = 2024
CALIBRATION_BATCHES = 3
CALIBRATION_BATCH = 4


class Door(nn.Module):
    """[N, 2, 4, 4] camera images -> [N, 3] probabilities: open, wait, keep shut."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(2, 4, 3, padding=1)
        self.conv2 = nn.Conv2d(4, 4, 3, padding=1)
        self.relu1, self.relu2 = nn.ReLU(), nn.ReLU()
        self.flatten = nn.Flatten()
        self.linear = nn.Linear(64, 3)
        self.sigmoid = nn.Sigmoid()

    def forward(self, x):
        x = self.relu1(self.conv1(x))
        x = self.relu2(self.conv2(x) + x)
        return self.sigmoid(self.linear(self.flatten(x)))


def main(folder):
    torch.manual_seed(SEED)
    export_graph.export(Door(), folder, "door, datasets/export/door.py", name="door")
    batches = {f"batch{i}": torch.randn(CALIBRATION_BATCH, 2, 4, 4)
               for i in range(CALIBRATION_BATCHES)}
    safetensors_file.write(folder / "calibration.safetensors", batches)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
