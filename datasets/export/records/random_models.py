"""Random small models: a seeded program of operators over a pool of values.

Each operator is tried eagerly on example tensors and dropped where torch refuses it, so
that every model runs; what the pipeline makes of it is for the record to say.
"""

import random

import torch
from records.random_functions import Functions
from records.random_layers import Layers
from records.random_program import Builder, OneInput, TwoInputs, WithDefault, WithNames


class ModelBuilder(Builder, Functions, Layers):
    FAMILIES = [
        ("chain", 10), ("convolution", 2), ("linear", 2), ("batch_norm", 2), ("relu", 4),
        ("activation", 5), ("binary", 6), ("broadcast", 1), ("matmul", 1), ("join", 3),
        ("pool", 3), ("reshape", 5), ("split", 1), ("sizes", 1), ("normalize", 2),
        ("dropout", 1), ("resize", 1), ("embedding", 3), ("recurrent", 1), ("again", 1),
        ("block", 1.5), ("sequential", 1.5),
    ]
    only = None

    def grow(self):
        families = [f for f in self.FAMILIES if self.only is None or f[0] in self.only]
        name = self.rng.choices([f[0] for f in families], [f[1] for f in families])[0]
        if not self.tensors() and name != "embedding":
            name = "embedding"
        return getattr(self, name)()


SHAPES = [(2, 3, 6, 6), (1, 4, 5, 5), (2, 2, 8, 8), (4, 6), (3, 8), (2, 3, 8), (2, 5, 4),
          (1, 2, 4, 4, 4), (2, 4, 6, 6), (5, 2, 4)]


def random_input(rng, shape, kind):
    if kind == "index":
        return torch.randint(0, 12, shape)
    x = torch.randn(*shape) * rng.choice([1.0, 1.0, 0.3, 4.0])
    return x.abs() if rng.random() < 0.1 else x


def random_model(seed, steps=(1, 8), only=None):
    """(model, batches): the last batch is the test input."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    shape = rng.choice(SHAPES)
    two = rng.random() < 0.2
    kinds = [("float", shape)]
    if rng.random() < 0.08:
        kinds = [("index", (2, 5))]
    if two:
        kinds.append(rng.choice([("float", shape), ("float", shape), ("index", (2, 5))]))
    batches = [[random_input(rng, s, k) for k, s in kinds] for _ in range(rng.choice([2, 3, 4]))]
    model = rng.choice([TwoInputs, TwoInputs, WithNames])() if two else OneInput()
    if not two and kinds[0][0] == "float" and rng.random() < 0.05:
        model = WithDefault()
    examples = [batches[0][0] * 1.5] if isinstance(model, WithDefault) else batches[0]
    builder = ModelBuilder(seed, model, examples, rng=rng)
    builder.only = only
    for _ in range(rng.randint(*steps)):
        builder.grow()
    tensors = builder.tensors() or [0]
    unused = tensors[-1]
    form = rng.random()
    others = [rng.choice(tensors) for _ in range(2)]
    if form < 0.7:
        model.result = lambda e: e[unused]
    elif form < 0.8:
        model.result = lambda e: (e[unused], e[others[0]])
    elif form < 0.86:
        model.result = lambda e: [e[unused], (e[others[0]], e[others[1]])]
    elif form < 0.95:
        model.result = lambda e: {"a": e[unused], "b": e[others[0]]}
    else:
        model.result = lambda e: {"out": [e[unused]], "aux": e[others[1]]}
    return model, batches
