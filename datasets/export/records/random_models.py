"""Random small models: a seeded program of operators over a pool of values.

Each operator is tried eagerly on example tensors and dropped where torch refuses it, so
that every model runs; what the pipeline makes of it is for the record to say.
"""

import operator
import random

import torch
import torch.nn.functional as F
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

    # ---- families ---------------------------------------------------------------------
    def convolution(self, transposed=False, functional=False):
        i = self.pick((3, 4, 5))
        if i is None:
            return None
        x, r = self.env[i], self.rng
        d, channels = x.dim() - 2, x.shape[1]
        groups = r.choice([1, 1, 1, channels])
        out = groups * r.randint(1, 3) if groups > 1 else r.randint(1, 5)
        kernel = r.choice([1, 2, 3, 3])
        stride = r.choice([1, 1, 2])
        padding = r.choice([0, 1, kernel // 2])
        dilation = r.choice([1, 1, 1, 2])
        bias = r.random() < 0.75
        if functional:
            shape = (channels, out // groups) if transposed else (out, channels // groups)
            w = self.parameter(*shape, *[kernel] * d)
            b = self.parameter(out) if bias else None
            name = f"conv_transpose{d}d" if transposed else f"conv{d}d"
            function = getattr(F, name)
            form = r.randint(0, 3)
            one = (lambda v: v) if r.random() < 0.4 else (lambda v: (v,) * d)

            def step(m, e):
                bias_value = None if b is None else getattr(m, b)
                weight = getattr(m, w)
                if form == 0:
                    return function(e[i], weight, bias_value, one(stride), one(padding))
                if form == 1:
                    return function(e[i], weight, bias_value)
                if form == 2:
                    return function(e[i], weight, bias=bias_value, stride=one(stride),
                                    padding=one(padding), groups=groups)
                return function(e[i], weight=weight, bias=bias_value, groups=groups)

            return self.add(step)
        if transposed:
            kind = getattr(nn, f"ConvTranspose{d}d")
            return self.call(
                kind(channels, out, kernel, stride=stride, padding=min(padding, kernel - 1),
                     groups=groups, bias=bias), i)
        mode = r.choice(["zeros"] * 9 + ["reflect", "replicate", "circular"])
        if r.random() < 0.08:
            padding, stride = r.choice(["same", "valid"]), 1
        kind = getattr(nn, f"Conv{d}d")
        try:
            child = kind(channels, out, kernel, stride=stride, padding=padding,
                         dilation=dilation, groups=groups, bias=bias, padding_mode=mode)
        except (ValueError, RuntimeError):
            return None
        return self.call(child, i)

    def linear(self, functional=False):
        i = self.pick((1, 2, 3, 4))
        if i is None:
            return None
        r = self.rng
        size, out = self.env[i].shape[-1], r.randint(1, 6)
        bias = r.random() < 0.75
        if not functional:
            return self.call(nn.Linear(size, out, bias=bias), i)
        w = self.parameter(out, size)
        b = self.parameter(out) if bias else None
        form = r.randint(0, 3)

        def step(m, e):
            weight, bias_value = getattr(m, w), None if b is None else getattr(m, b)
            if form == 0:
                return F.linear(e[i], weight, bias_value)
            if form == 1:
                return F.linear(e[i], weight=weight, bias=bias_value)
            if form == 2:
                return F.linear(e[i], weight)
            return F.linear(e[i], weight, bias=bias_value)

        return self.add(step)

    def batch_norm(self):
        i = self.pick((2, 3, 4, 5))
        if i is None:
            return None
        r, x = self.rng, self.env[i]
        kind = {2: nn.BatchNorm1d, 3: nn.BatchNorm1d, 4: nn.BatchNorm2d, 5: nn.BatchNorm3d}
        norm = kind[x.dim()](x.shape[1], affine=r.random() < 0.93,
                             eps=r.choice([1e-5, 1e-5, 1e-3]))
        if norm.affine:
            nn.init.uniform_(norm.weight, 0.5, 1.5)
            nn.init.uniform_(norm.bias, -0.5, 0.5)
        norm.running_mean.uniform_(-0.5, 0.5)
        norm.running_var.uniform_(0.5, 1.5)
        return self.call(norm, i)

    def relu(self):
        i = self.pick()
        form = self.rng.randint(0, 11)
        forms = {
            9: lambda m, e: F.relu((e[i] + 0.5), inplace=True),
            10: lambda m, e: (e[i] * 1.5).relu_(),
            11: lambda m, e: F.hardtanh_(e[i] + 0.1),
            0: lambda m, e: F.relu(e[i]),
            1: lambda m, e: torch.relu(e[i]),
            2: lambda m, e: e[i].relu(),
            3: lambda m, e: F.relu(e[i], inplace=False),
            4: lambda m, e: F.relu6(e[i]),
        }
        if form in forms:
            return self.add(forms[form])
        child = nn.ReLU6() if form == 5 else nn.ReLU(inplace=form == 6)
        return self.call(child, i)

    def chain(self):
        """conv or linear, often with norm and relu after it."""
        r = self.rng
        make = r.choice([
            self.convolution, self.convolution, self.convolution, self.linear, self.linear,
            lambda: self.convolution(functional=True), lambda: self.linear(functional=True),
            lambda: self.convolution(transposed=True),
            lambda: self.convolution(transposed=True, functional=True),
        ])
        if make() is None:
            return None
        saved, self.rng = self.rng, _Last(self.rng)
        if r.random() < 0.45:
            self.batch_norm()
        if r.random() < 0.6:
            r.choice([self.relu, self.relu, self.relu, self.activation])()
        self.rng = saved
        return len(self.env) - 1

    def activation(self):
        i = self.pick()
        r = self.rng
        modules = [nn.Sigmoid, nn.Tanh, nn.Hardsigmoid, nn.Hardswish, nn.ELU, nn.LeakyReLU,
                   nn.Hardtanh, nn.GELU, nn.SiLU, nn.Identity, nn.Softplus, nn.Mish]
        functions = [
            lambda m, e: torch.sigmoid(e[i]), lambda m, e: e[i].sigmoid(),
            lambda m, e: F.sigmoid(e[i]), lambda m, e: torch.tanh(e[i]),
            lambda m, e: e[i].tanh(), lambda m, e: F.hardsigmoid(e[i]),
            lambda m, e: F.hardswish(e[i]), lambda m, e: F.elu(e[i], 0.7),
            lambda m, e: F.leaky_relu(e[i], 0.1), lambda m, e: F.hardtanh(e[i], -0.5, 0.75),
            lambda m, e: F.hardtanh(e[i]), lambda m, e: F.gelu(e[i]),
            lambda m, e: F.silu(e[i]), lambda m, e: torch.clamp(e[i], -0.4, 0.9),
            lambda m, e: e[i].clamp(0.0, 1.0), lambda m, e: torch.clamp(e[i], min=-1.0),
            lambda m, e: F.softmax(e[i], -1), lambda m, e: F.softmax(e[i], dim=1),
            lambda m, e: torch.softmax(e[i], -1), lambda m, e: F.leaky_relu(e[i]),
            lambda m, e: F.elu(e[i]), lambda m, e: F.tanh(e[i]),
            lambda m, e: F.leaky_relu(e[i], negative_slope=0.2),
            lambda m, e: torch.abs(e[i]), lambda m, e: e[i].sqrt() if False else e[i].abs(),
        ]
        form = r.random()
        if form < 0.5:
            kind = r.choice(modules)
            return self.call(kind(), i)
        if form < 0.58:
            return self.call(nn.Softmax(dim=r.choice([-1, 1])), i)
        if form < 0.66 and self.env[i].dim() > 1:
            return self.call(nn.PReLU(r.choice([1, self.env[i].shape[1]])), i)
        return self.add(r.choice(functions))

    def binary(self):
        i = self.pick()
        r = self.rng
        others = self.same_shape(i)
        j = r.choice(others)
        functions = [
            operator.add, operator.add, operator.mul, torch.add, torch.mul, operator.add,
            operator.sub, torch.sub, operator.truediv, operator.iadd, operator.imul,
        ]
        function = r.choice(functions)
        form = r.random()
        if form < 0.55:
            if r.random() < 0.5:
                i, j = j, i
            if function in (operator.iadd, operator.imul):
                return self.add(lambda m, e: function(e[i] * 1.0, e[j]))
            return self.add(lambda m, e: function(e[i], e[j]))
        if form < 0.62:
            return self.add(lambda m, e: e[i].add(e[j]))
        if form < 0.66:
            return self.add(lambda m, e: torch.add(e[i], e[j], alpha=2))
        if form < 0.70:
            return self.add(lambda m, e: torch.add(input=e[i], other=e[j]))
        scalar = r.choice([2, 3.5, -1.5, 0.25, 1, 0.0, True])
        integers = self.integers()
        if integers and r.random() < 0.3:
            k = r.choice(integers)
            if r.random() < 0.5:
                return self.add(lambda m, e: function(e[i], e[k]))
            return self.add(lambda m, e: function(e[k], e[i]))
        if function in (operator.iadd, operator.imul):
            function = operator.add
        if function in (torch.add, torch.mul, torch.sub) or r.random() < 0.6:
            return self.add(lambda m, e: function(e[i], scalar))
        return self.add(lambda m, e: function(scalar, e[i]))

    def broadcast(self):
        i = self.pick((2, 3, 4))
        if i is None:
            return None
        if self.rng.random() < 0.3:
            constant = self.rng.choice([2.0, [0.5], -1.5])
            function = self.rng.choice([operator.add, torch.mul])
            return self.add(lambda m, e: function(e[i], torch.tensor(constant)))
        name = self.parameter(self.env[i].shape[-1])
        function = self.rng.choice([operator.add, operator.mul, torch.add, torch.mul])
        if self.rng.random() < 0.5:
            return self.add(lambda m, e: function(e[i], getattr(m, name)))
        return self.add(lambda m, e: function(getattr(m, name), e[i]))

    def matmul(self):
        i = self.pick((2, 3, 4))
        if i is None:
            return None
        r = self.rng
        form = r.randint(0, 4)
        if form == 0:
            return self.add(lambda m, e: torch.matmul(e[i], e[i].transpose(-1, -2)))
        if form == 1:
            return self.add(lambda m, e: e[i] @ e[i].transpose(-2, -1))
        if form == 2 and self.env[i].dim() == 3:
            return self.add(lambda m, e: torch.bmm(e[i], e[i].permute(0, 2, 1)))
        name = self.parameter(self.env[i].shape[-1], r.randint(1, 4))
        if form == 3 and self.env[i].dim() == 2:
            bias = self.parameter(getattr(self.module, name).shape[1])
            return self.add(
                lambda m, e: torch.addmm(getattr(m, bias), e[i], getattr(m, name)))
        return self.add(lambda m, e: torch.matmul(e[i], getattr(m, name)))

    def join(self):
        i = self.pick((1, 2, 3, 4, 5))
        r = self.rng
        others = self.same_shape(i)
        items = [r.choice(others) for _ in range(r.randint(1, 3))]
        if r.random() < 0.6:
            items = list(dict.fromkeys([i, *items]))
        dim = r.choice([0, 1, -1])
        form = r.randint(0, 6)
        if form == 0:
            return self.add(lambda m, e: torch.cat(tuple(e[k] for k in items), dim))
        if form == 1:
            return self.add(lambda m, e: torch.cat(tensors=[e[k] for k in items], dim=dim))
        if form == 2:
            return self.add(lambda m, e: torch.stack([e[k] for k in items], dim))
        if form == 3:
            return self.add(lambda m, e: torch.concat([e[k] for k in items], dim=dim))
        return self.add(lambda m, e: torch.cat([e[k] for k in items], dim=dim))

    def pool(self):
        i = self.pick((3, 4, 5))
        if i is None:
            return None
        d, r = self.env[i].dim() - 2, self.rng
        kernel, stride = r.choice([2, 3]), r.choice([None, 1, 2])
        form = r.randint(0, 9)
        if form == 0:
            return self.call(getattr(nn, f"MaxPool{d}d")(kernel, stride, padding=1), i)
        if form == 1:
            return self.call(getattr(nn, f"AvgPool{d}d")(kernel, stride), i)
        if form == 2:
            return self.call(getattr(nn, f"AdaptiveAvgPool{d}d")(r.choice([1, 2])), i)
        if form == 3:
            f = getattr(F, f"max_pool{d}d")
            return self.add(lambda m, e: f(e[i], kernel))
        if form == 4:
            f = getattr(F, f"avg_pool{d}d")
            return self.add(lambda m, e: f(e[i], kernel, stride=stride))
        if form == 5:
            f = getattr(F, f"adaptive_avg_pool{d}d")
            return self.add(lambda m, e: f(e[i], 1))
        if form == 6:
            dims = r.choice([(2,), tuple(range(2, d + 2)), (-1,)])
            return self.add(lambda m, e: e[i].mean(dims))
        if form == 7:
            return self.add(lambda m, e: torch.mean(e[i], dim=-1, keepdim=True))
        if form == 8:
            f = getattr(F, f"max_pool{d}d")
            return self.add(lambda m, e: f(e[i], kernel, stride=stride, padding=1))
        return self.add(lambda m, e: e[i].mean(dim=[-1]))

    def reshape(self):
        i = self.pick((1, 2, 3, 4, 5))
        r, x = self.rng, self.env[i]
        dims = list(range(x.dim()))
        order = r.sample(dims, len(dims))
        a, b = r.choice(dims), r.choice(dims)
        functions = [
            lambda m, e: e[i].reshape(e[i].shape[0], -1),
            lambda m, e: e[i].reshape(e[i].size(0), -1),
            lambda m, e: e[i].reshape(-1),
            lambda m, e: e[i].reshape((x.shape[0], -1)),
            lambda m, e: torch.reshape(e[i], (x.shape[0], -1)),
            lambda m, e: e[i].view(x.shape[0], -1),
            lambda m, e: e[i].contiguous().view(e[i].size(0), -1),
            lambda m, e: torch.flatten(e[i], 1), lambda m, e: e[i].flatten(1),
            lambda m, e: torch.flatten(e[i], start_dim=1),
            lambda m, e: e[i].permute(*order), lambda m, e: e[i].permute(order),
            lambda m, e: torch.permute(e[i], order),
            lambda m, e: torch.transpose(e[i], a, b), lambda m, e: e[i].transpose(a, b),
            lambda m, e: torch.unsqueeze(e[i], a), lambda m, e: e[i].unsqueeze(a),
            lambda m, e: torch.squeeze(e[i], a), lambda m, e: e[i].squeeze(),
            lambda m, e: e[i].squeeze(a), lambda m, e: e[i].contiguous(),
            lambda m, e: e[i].detach(),
            lambda m, e: e[i].repeat(*[1] * x.dim()),
            lambda m, e: torch.repeat_interleave(e[i], 2, a),
            lambda m, e: e[i].repeat_interleave(2, dim=a),
            lambda m, e: torch.narrow(e[i], a, 0, 1), lambda m, e: e[i].clone(),
            lambda m, e: e[i][..., 0], lambda m, e: e[i][:, :1], lambda m, e: e[i][0:1],
            lambda m, e: e[i].t(), lambda m, e: e[i].expand_as(e[i]),
            lambda m, e: e[i].masked_fill(e[i] > 0.5, 0.25),
            lambda m, e: F.pad(e[i], (1, 1)),
        ]
        if r.random() < 0.12:
            return self.call(nn.Flatten(), i)
        return self.add(r.choice(functions))

    def split(self):
        i = self.pick((2, 3, 4, 5))
        if i is None or self.env[i].shape[1] < 2:
            return None
        form = self.rng.randint(0, 4)
        functions = [
            lambda m, e: torch.chunk(e[i], 2, 1), lambda m, e: e[i].chunk(2, dim=1),
            lambda m, e: torch.split(e[i], 1, 1), lambda m, e: e[i].split(1, 1),
            lambda m, e: e[i].unbind(1),
        ]
        k = self.add(functions[form])
        if k is None:
            return None
        for item in range(min(len(self.env[k]), self.rng.randint(1, 3))):
            self.add(lambda m, e, item=item: e[k][item])
        return len(self.env) - 1

    def sizes(self):
        i = self.pick()
        r = self.rng
        functions = [
            lambda m, e: e[i].shape[0], lambda m, e: e[i].size(0),
            lambda m, e: e[i].size(-1) * 2, lambda m, e: e[i].size()[0],
            lambda m, e: e[i].shape[-1] + 1, lambda m, e: e[i].dim(),
            lambda m, e: e[i].ndim, lambda m, e: e[i].size(0) // 2,
        ]
        return self.add(r.choice(functions))

    def normalize(self):
        i = self.pick((2, 3, 4, 5))
        if i is None:
            return None
        r, x = self.rng, self.env[i]
        form = r.randint(0, 7)
        d, channels, last = x.dim() - 2, x.shape[1], x.shape[-1]
        if form == 0:
            return self.call(nn.LayerNorm(last, elementwise_affine=r.random() < 0.7), i)
        if form == 1:
            return self.call(nn.GroupNorm(1, channels), i)
        if form == 2 and d:
            return self.call(getattr(nn, f"InstanceNorm{d}d")(channels, affine=r.random() < 0.5), i)
        w, b = self.parameter(last), self.parameter(last)
        if form == 3:
            return self.add(lambda m, e: F.layer_norm(e[i], (last,), getattr(m, w), getattr(m, b)))
        if form == 4:
            return self.add(lambda m, e: F.layer_norm(e[i], [last]))
        if form == 5:
            cw, cb = self.parameter(channels), self.parameter(channels)
            return self.add(
                lambda m, e: F.group_norm(e[i], 1, getattr(m, cw), getattr(m, cb)))
        if form == 6:
            cw, cb = self.parameter(channels), self.parameter(channels)
            return self.add(lambda m, e: F.instance_norm(
                e[i], weight=getattr(m, cw), bias=getattr(m, cb)))
        return self.add(lambda m, e: F.normalize(e[i], dim=1))

    def dropout(self):
        i = self.pick()
        form = self.rng.randint(0, 2)
        if form == 0:
            return self.call(nn.Dropout(0.0), i)
        if form == 1:
            return self.add(lambda m, e: F.dropout(e[i], 0.0, m.training))
        return self.add(lambda m, e: F.dropout(e[i], p=0.0, training=False))

    def resize(self):
        i = self.pick((3, 4))
        if i is None:
            return None
        r = self.rng
        form = r.randint(0, 4)
        if form == 0:
            return self.add(lambda m, e: F.interpolate(e[i], scale_factor=2))
        if form == 1:
            return self.add(lambda m, e: F.interpolate(e[i], scale_factor=2.0, mode="nearest"))
        if form == 2 and self.env[i].dim() == 4:
            return self.add(lambda m, e: F.interpolate(
                e[i], size=(3, 4), mode="bilinear", align_corners=False))
        if form == 3 and self.env[i].dim() == 4 and self.env[i].shape[1] % 4 == 0:
            if r.random() < 0.5:
                return self.call(nn.PixelShuffle(2), i)
            return self.add(lambda m, e: F.pixel_shuffle(e[i], 2))
        if self.env[i].dim() == 4 and self.env[i].shape[2] % 2 == 0:
            if r.random() < 0.5:
                return self.call(nn.PixelUnshuffle(2), i)
            return self.add(lambda m, e: F.pixel_unshuffle(e[i], 2))
        return self.call(nn.Upsample(scale_factor=2), i)

    def embedding(self):
        i = self.pick((1, 2), floating=False)
        if i is None:
            return None
        r = self.rng
        size = r.choice([4, 3, 8])
        if r.random() < 0.3 and self.env[i].dim() == 2:
            return self.call(nn.EmbeddingBag(12, size, mode=r.choice(["sum", "mean"])), i)
        if r.random() < 0.25:
            name = self.parameter(12, size)
            return self.add(lambda m, e: F.embedding(e[i], getattr(m, name)))
        return self.call(nn.Embedding(12, size), i)

    def recurrent(self):
        r = self.rng
        i = self.pick((2, 3))
        if i is None:
            return None
        x = self.env[i]
        hidden, size = r.randint(1, 3), x.shape[-1]
        if x.dim() == 2:
            kind = r.choice([nn.LSTMCell, nn.GRUCell, nn.RNNCell])
            k = self.call(kind(size, hidden), i)
            if k is not None and kind is nn.LSTMCell:
                return self.add(lambda m, e: e[k][0])
            return k
        kind = r.choice([nn.LSTM, nn.GRU])
        k = self.call(kind(size, hidden, num_layers=r.choice([1, 1, 2]),
                           batch_first=r.random() < 0.5, bidirectional=r.random() < 0.3), i)
        if k is None:
            return None
        self.add(lambda m, e: e[k][0])
        return len(self.env) - 1

    def again(self):
        """A module of ours called once more."""
        if not self.called:
            return None
        name, indexes, shape = self.rng.choice(self.called)
        if len(indexes) != 1:
            return None
        found = [i for i in self.tensors() if self.env[i].shape == shape]
        if not found:
            return None
        i = self.rng.choice(found)
        return self.add(lambda m, e: getattr(m, name)(e[i]))

    def block(self):
        if self.depth > 1:
            return None
        i = self.pick()
        if i is None:
            return None
        child = self.rng.choice([Block, Other])()
        inner = Builder(0, child, [self.env[i]], self.depth + 1, self.rng)
        for _ in range(self.rng.randint(1, 4)):
            inner.grow()
        k = inner.tensors()[-1]
        child.result = lambda e: e[k]
        return self.call(child, i)

    def sequential(self):
        i = self.pick((2, 3, 4))
        if i is None:
            return None
        r, x = self.rng, self.env[i]
        parts = []
        if x.dim() == 2 or r.random() < 0.3:
            parts = [nn.Linear(x.shape[-1], 4)]
            if x.dim() == 2 and r.random() < 0.5:
                parts.append(nn.BatchNorm1d(4))
        else:
            d = x.dim() - 2
            parts = [getattr(nn, f"Conv{d}d")(x.shape[1], 4, 1)]
            if r.random() < 0.6:
                parts.append(getattr(nn, f"BatchNorm{d}d")(4))
        if r.random() < 0.7:
            parts.append(r.choice([nn.ReLU, nn.ReLU, nn.LeakyReLU, nn.Tanh, nn.Hardtanh])())
        if r.random() < 0.25:
            return self.call(nn.Sequential(nn.Sequential(*parts), nn.Identity()), i)
        return self.call(nn.Sequential(*parts), i)

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


class _Last:
    """Random numbers whose `random` makes pick take the last value."""

    def __init__(self, rng):
        self.rng = rng

    def random(self):
        return self.rng.random() * 0.7

    def __getattr__(self, name):
        return getattr(self.rng, name)


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
    builder = Builder(seed, model, examples, rng=rng)
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
