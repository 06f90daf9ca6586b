"""Exports a small untrained network on which torch does not do what it declares.

Run once: python two_modes.py ../models/two_modes
Its first convolution pads by reflection, which torch's reference modules forget; its second
one is called twice and has a batch norm behind one call only, which torch folds into both;
and it joins two pooled values, which breaks the sharing of one of them.
"""

import json
import pathlib
import sys

import export_graph
import safetensors_file
import torch
import torch_results
from torch import nn

SEED = 2025
BATCHES = 3
BATCH = 4


class TwoModes(nn.Module):
    """[N, 1, 6, 6] -> [N, 3]"""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, 3, padding=1, padding_mode="reflect")
        self.conv2 = nn.Conv2d(2, 2, 1)
        self.bn = nn.BatchNorm2d(2)
        self.relu = nn.ReLU()
        self.pool1, self.pool2 = nn.MaxPool2d(2), nn.MaxPool2d(2)
        self.flatten = nn.Flatten()
        self.linear = nn.Linear(36, 3)

    def forward(self, x):
        x = self.relu(self.conv1(x))
        x = self.conv2(x)
        y = self.bn(self.conv2(x))
        z = torch.cat([self.pool1(x), self.pool2(y)], 1)
        return self.linear(self.flatten(z))


def main(folder):
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    module = TwoModes()
    module.train()
    with torch.no_grad():
        for _ in range(20):  # statistics for the batch norm
            module(torch.randn(16, 1, 6, 6))
    module.eval()
    folder.mkdir(exist_ok=True)
    export_graph.export(module, folder, "two_modes, datasets/export/two_modes.py")
    batches = [torch.randn(BATCH, 1, 6, 6) for _ in range(BATCHES)]
    named = {f"batch{i}": batch for i, batch in enumerate(batches)}
    safetensors_file.write(folder / "calibration.safetensors", named)
    (folder / "model.json").write_text(
        json.dumps(
            {
                "name": "two_modes",
                "graph": "float.graph.json",
                "calibration": {"source": "file", "file": "calibration.safetensors"},
                "metric": "none",
            },
            indent=1,
        )
        + "\n"
    )
    results = {"torch": torch.__version__}
    for config in torch_results.CONFIGS:
        quantized = torch_results.reference_model(module, config, batches)
        with torch.no_grad():
            results[config] = {
                "first_outputs": quantized(batches[0][:1]).tolist(),
                "reference_graph": torch_results.graph_record(quantized),
            }
    (folder / "torch.json").write_text(torch_results.as_text(results))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
