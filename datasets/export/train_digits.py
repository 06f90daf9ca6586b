"""Trains and exports a small residual conv-bn-relu network on scikit-learn's digits.

Run once: python train_digits.py ../models/digits
Writes the float graph, the calibration images, the held-out images with labels and what
torch makes of them. Seeds are fixed and one thread is used.
"""

import json
import pathlib
import sys

import export_graph
import safetensors_file
import sklearn
import torch
import torch_results
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

SEED = 20260
EPOCHS = 40
BATCH = 64
CALIBRATION_BATCHES = 4
CALIBRATION_BATCH = 16


def conv_bn(inputs, outputs):
    return nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs)


class DigitsNet(nn.Module):
    """[N, 1, 8, 8] in [0, 1] -> [N, 10] logits."""

    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = conv_bn(1, 16)
        self.conv2, self.bn2 = conv_bn(16, 16)
        self.conv3, self.bn3 = conv_bn(16, 16)
        self.conv4, self.bn4 = conv_bn(16, 56)
        self.relu1, self.relu2, self.relu3, self.relu4 = (nn.ReLU() for _ in range(4))
        self.pool = nn.MaxPool2d(2)
        self.average = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(56, 10)

    def forward(self, x):
        x = self.relu1(self.bn1(self.conv1(x)))
        y = self.relu2(self.bn2(self.conv2(x)))
        y = self.bn3(self.conv3(y))
        x = self.pool(self.relu3(x + y))
        x = self.average(self.relu4(self.bn4(self.conv4(x))))
        return self.classifier(torch.flatten(x, 1))


def shifted(images):
    """Each image moved by up to one pixel: the only augmentation."""
    padded = nn.functional.pad(images, (1, 1, 1, 1))
    offsets = torch.randint(0, 3, (len(images), 2)).tolist()
    return torch.stack([p[:, i : i + 8, j : j + 8] for p, (i, j) in zip(padded, offsets)])


def train(net, images, labels):
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-2)
    steps = EPOCHS * (len(images) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=steps)
    net.train()
    for _ in range(EPOCHS):
        order = torch.randperm(len(images))
        for start in range(0, len(images) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            loss = nn.functional.cross_entropy(net(shifted(images[chosen])), labels[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return net.eval()


def top1(model, images, labels):
    with torch.no_grad():
        return (model(images).argmax(1) == labels).double().mean().item()


def main(folder):
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target, dtype=torch.int64)
    seen, held_out = train_test_split(
        torch.arange(len(labels)), test_size=600, random_state=SEED, stratify=labels
    )
    net = train(DigitsNet(), images[seen], labels[seen])

    traced = export_graph.export(net, folder, "digits, datasets/export/train_digits.py")
    count = CALIBRATION_BATCHES * CALIBRATION_BATCH
    batches = images[seen[:count]].split(CALIBRATION_BATCH)
    names = [f"batch_{index:02}" for index in range(len(batches))]
    safetensors_file.write(folder / "calibration.safetensors", dict(zip(names, batches)))
    test = {"images": images[held_out], "labels": labels[held_out]}
    safetensors_file.write(folder / "evaluation.safetensors", test)

    results = {
        "torch": torch.__version__,
        "scikit_learn": sklearn.__version__,
        "parameters": sum(p.numel() for p in net.parameters()),
        "float": {
            "top1": top1(traced, *test.values()),
            "first_outputs": traced(test["images"][:2]).tolist(),
        },
    }
    for config in torch_results.CONFIGS:
        quantized = torch_results.reference_model(net, config, batches)
        results[config] = {
            "top1": top1(quantized, *test.values()),
            "first_outputs": quantized(test["images"][:2]).tolist(),
            "reference_graph": torch_results.graph_record(quantized),
        }
    (folder / "torch.json").write_text(torch_results.as_text(results))
    print({key: value["top1"] for key, value in results.items() if "top1" in str(value)})


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
