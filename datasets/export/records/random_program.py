"""A random model as a program: modules that run steps over a pool of values."""

import random

import torch
from torch import nn

NAMES = """conv bn act fc body head left right stem proj gate mix pool norm skip tail layer1
conv bn act fc body head left right stem proj gate mix pool norm skip tail layer1
add relu linear dequantize scale quantize_per_tensor activation_post_process_0 conv_scale_0
flatten cat x_1 input getattr_1 weight""".split()


class Program(nn.Module):
    """Runs its steps over a list of values; the first ones are its inputs."""

    def __init__(self):
        super().__init__()
        self.steps = []
        self.result = None

    def run(self, values):
        env = list(values)
        for step in self.steps:
            env.append(step(self, env))
        return self.result(env)


class OneInput(Program):
    def forward(self, x):
        return self.run([x])


class TwoInputs(Program):
    def forward(self, x, y):
        return self.run([x, y])


class WithDefault(Program):
    """A placeholder with a default value, that is no tensor."""

    def forward(self, x, factor=1.5):
        return self.run([x * factor])


class WithNames(Program):
    def forward(self, input, scale):
        return self.run([input, scale])


class Block(Program):
    """A nested module: functions inside it have its path as scope."""

    def forward(self, x):
        return self.run([x])


class Other(Program):
    """A second class, for rules by type."""

    def forward(self, x):
        return self.run([x])


class Builder:
    """Appends steps that torch accepts on example tensors to a Program."""

    def __init__(self, seed, module, examples, depth=0, rng=None):
        self.rng = rng or random.Random(seed)
        self.module = module
        self.env = list(examples)
        self.depth = depth
        self.called = []  # names of own modules that may be called again

    # ---- values -----------------------------------------------------------------------
    def tensors(self, ranks=None, floating=True):
        found = []
        for index, value in enumerate(self.env):
            if not isinstance(value, torch.Tensor) or value.numel() == 0:
                continue
            if value.is_floating_point() != floating:
                continue
            if ranks is None or value.dim() in ranks:
                found.append(index)
        return found

    def pick(self, ranks=None, floating=True):
        found = self.tensors(ranks, floating)
        if not found:
            return None
        return found[-1] if self.rng.random() < 0.7 else self.rng.choice(found)

    def integers(self):
        return [i for i, v in enumerate(self.env) if type(v) is int]

    def same_shape(self, index):
        shape = self.env[index].shape
        return [i for i in self.tensors() if self.env[i].shape == shape]

    # ---- steps ------------------------------------------------------------------------
    def add(self, step):
        """Index of the new value, or None where torch refused the step."""
        try:
            with torch.no_grad():
                value = step(self.module, self.env)
        except Exception:  # noqa: BLE001 - a step that does not fit is dropped
            return None
        if isinstance(value, torch.Tensor):
            if value.numel() > 4000 or value.numel() == 0:
                return None
            value = value.detach()
        self.module.steps.append(step)
        self.env.append(value)
        return len(self.env) - 1

    def name(self):
        base = self.rng.choice(NAMES)
        count = 0
        name = base
        while hasattr(self.module, name):
            count += 1
            name = f"{base}{count}"
        return name

    def call(self, child, *indexes, kwargs=None):
        """A new submodule called on values."""
        name = self.name()
        setattr(self.module, name, child)
        child.eval()
        kwargs = kwargs or {}
        if len(indexes) == 1 and self.rng.random() < 0.03:
            # By keyword, where the module's forward names its input so.
            step = lambda m, e: getattr(m, name)(input=e[indexes[0]])  # noqa: E731
        else:
            step = lambda m, e: getattr(m, name)(  # noqa: E731
                *[e[i] for i in indexes], **{k: e[i] for k, i in kwargs.items()})
        index = self.add(step)
        if index is None:
            delattr(self.module, name)
            return None
        self.called.append((name, indexes, self.env[indexes[0]].shape if indexes else None))
        return index

    def parameter(self, *shape, scale=0.4):
        name = self.rng.choice(["w", "weight", "b", "kernel", "table"])
        count = 0
        full = name
        while hasattr(self.module, full):
            count += 1
            full = f"{name}{count}"
        value = torch.randn(*shape) * scale
        if self.rng.random() < 0.5:
            setattr(self.module, full, nn.Parameter(value))
        else:
            self.module.register_buffer(full, value)
        return full


class LastValue:
    """Random numbers whose `random` makes pick take the last value."""

    def __init__(self, rng):
        self.rng = rng

    def random(self):
        return self.rng.random() * 0.7

    def __getattr__(self, name):
        return getattr(self.rng, name)
