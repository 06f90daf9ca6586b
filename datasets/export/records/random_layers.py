"""Steps of a random model that are layers with parameters, pools and nested modules."""

import torch
import torch.nn.functional as F
from records.random_program import Block, LastValue, Other
from torch import nn


class Layers:
    """A part of random_models.ModelBuilder: each method appends one step or none."""

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
        saved, self.rng = self.rng, LastValue(self.rng)
        if r.random() < 0.45:
            self.batch_norm()
        if r.random() < 0.6:
            r.choice([self.relu, self.relu, self.relu, self.activation])()
        self.rng = saved
        return len(self.env) - 1

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

    def block(self):
        if self.depth > 1:
            return None
        i = self.pick()
        if i is None:
            return None
        child = self.rng.choice([Block, Other])()
        inner = type(self)(0, child, [self.env[i]], self.depth + 1, self.rng)
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
