"""Steps of a random model that are functions, methods and operators."""

import operator

import torch
import torch.nn.functional as F
from torch import nn


class Functions:
    """A part of random_models.ModelBuilder: each method appends one step or none."""

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
