"""Small models for the records of PT2E quantizers: name -> (make, example inputs)."""

import torch
import torch.nn.functional as F
from torch import nn

IMAGE = (2, 3, 6, 6)
ROWS = (4, 6)
MODELS = {}


def model(*shapes):
    def register(cls):
        MODELS[cls.__name__] = (cls, shapes)
        return cls

    return register


def sequential(name, shape, *makes):
    def make():
        return nn.Sequential(*(m() for m in makes))

    MODELS[name] = (make, (shape,))


def conv(channels=3, **kwargs):
    return lambda: nn.Conv2d(channels, channels, 3, padding=1, **kwargs)


for post in ("ReLU", "Hardtanh", "Hardswish", "ReLU6", "SiLU", "Sigmoid", "GELU"):
    sequential(f"Conv{post}", IMAGE, conv(), getattr(nn, post))
    sequential(f"ConvBn{post}", IMAGE, conv(), lambda: nn.BatchNorm2d(3), getattr(nn, post))
for post in ("ReLU", "LeakyReLU", "Tanh", "GELU", "SiLU"):
    sequential(f"Linear{post}", ROWS, lambda: nn.Linear(6, 6), getattr(nn, post))
sequential("ConvReluInplace", IMAGE, conv(), lambda: nn.ReLU(inplace=True))
sequential("ConvBn", IMAGE, conv(), lambda: nn.BatchNorm2d(3))
sequential("ConvNoBiasBnRelu", IMAGE, conv(bias=False), lambda: nn.BatchNorm2d(3), nn.ReLU)
sequential("ConvBnReluInplace", IMAGE, conv(), lambda: nn.BatchNorm2d(3),
           lambda: nn.ReLU(inplace=True))
sequential("Conv1d", (2, 3, 8), lambda: nn.Conv1d(3, 4, 3))
sequential("Conv1dRelu", (2, 3, 8), lambda: nn.Conv1d(3, 4, 3), nn.ReLU)
sequential("Conv1dBnRelu", (2, 3, 8), lambda: nn.Conv1d(3, 4, 3),
           lambda: nn.BatchNorm1d(4), nn.ReLU)
sequential("ConvTransposeRelu", IMAGE, lambda: nn.ConvTranspose2d(3, 4, 3), nn.ReLU)
sequential("ConvTransposeBnRelu", IMAGE, lambda: nn.ConvTranspose2d(3, 4, 3),
           lambda: nn.BatchNorm2d(4), nn.ReLU)
sequential("ConvTranspose", IMAGE, lambda: nn.ConvTranspose2d(3, 4, 3))
sequential("Conv3dRelu", (1, 2, 4, 4, 4), lambda: nn.Conv3d(2, 2, 3), nn.ReLU)
sequential("LinearNoBias", ROWS, lambda: nn.Linear(6, 4, bias=False))
sequential("TwoConvs", IMAGE, conv(), nn.ReLU, conv(), nn.ReLU)
sequential("Pools", IMAGE, conv(), nn.ReLU, lambda: nn.MaxPool2d(2),
           lambda: nn.AvgPool2d(2, 1, 1), lambda: nn.AdaptiveAvgPool2d(1), nn.Flatten,
           lambda: nn.Linear(3, 2))
sequential("FlattenLast", IMAGE, conv(), lambda: nn.AdaptiveAvgPool2d(1), nn.Flatten)
sequential("MaxPoolFirst", IMAGE, lambda: nn.MaxPool2d(2), conv())
sequential("Gru", (3, 4, 6), lambda: nn.GRU(6, 5))


@model(IMAGE)
class ConvAdd(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 3, 3, padding=1)

    def forward(self, x):
        return self.c(x) + x


@model(IMAGE)
class ConvAddRelu(ConvAdd):
    def forward(self, x):
        return F.relu(x + self.c(x))


@model(IMAGE)
class ConvAddReluModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 3, 3, padding=1)
        self.r = nn.ReLU()

    def forward(self, x):
        return self.r(self.c(x) + x)


@model(IMAGE)
class ConvAddInplace(ConvAddReluModule):
    def forward(self, x):
        y = self.c(x)
        y += x
        return self.r(y)


@model(IMAGE)
class ConvTwoUsers(ConvAddReluModule):
    def forward(self, x):
        y = self.c(x)
        return self.r(y + x) + y


@model(IMAGE)
class ConvAddScalar(ConvAdd):
    def forward(self, x):
        return self.c(x) + 1.0


@model(IMAGE)
class ConvsAdded(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 3, 3, padding=1)
        self.b = nn.Conv2d(3, 3, 1)
        self.r = nn.ReLU()

    def forward(self, x):
        return self.r(self.a(x) + self.b(x))


@model(IMAGE)
class MixedAdds(ConvsAdded):
    def forward(self, x):
        return torch.add(self.a(x), x) + self.b(x)


@model(IMAGE)
class ConvBnAddRelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 3, 3, padding=1)
        self.bn = nn.BatchNorm2d(3)
        self.r = nn.ReLU()

    def forward(self, x):
        return self.r(self.bn(self.c(x)) + x)


@model(IMAGE)
class ConvBnAdd(ConvBnAddRelu):
    def forward(self, x):
        return x + self.bn(self.c(x))


@model(IMAGE)
class FunctionalConvRelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3, 3, 3, 3))

    def forward(self, x):
        return F.relu(F.conv2d(x, self.w))


@model(ROWS)
class FunctionalLinearRelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 6))
        self.b = nn.Parameter(torch.randn(4))

    def forward(self, x):
        return F.relu(F.linear(x, self.w, self.b))


@model(ROWS)
class LinearAddRelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(6, 6)
        self.r = nn.ReLU()

    def forward(self, x):
        return self.r(self.l(x) + x)


@model(ROWS)
class LinearAdd(LinearAddRelu):
    def forward(self, x):
        return x + self.l(x)


@model(ROWS)
class LinearTwice(LinearAddRelu):
    def forward(self, x):
        return self.l(self.l(x))


@model(ROWS)
class LinearTwiceApart(LinearAddRelu):
    def forward(self, x):
        return self.r(self.l(x)) * self.l(x + x)


@model(IMAGE)
class ConvTwice(ConvAdd):
    def forward(self, x):
        return self.c(self.c(x))


@model(IMAGE)
class ConvTwiceApart(ConvAdd):
    def forward(self, x):
        return self.c(x) * self.c(x + x)


@model(ROWS, ROWS)
class Multiplied(nn.Module):
    def forward(self, x, y):
        return torch.relu(x * y) * y


@model(ROWS, ROWS)
class AddedScalars(nn.Module):
    def forward(self, x, y):
        return (x + 2.0) * 3.0 + (y + 1e20) + 4


@model(ROWS, (1, 6))
class MultipliedBroadcast(nn.Module):
    def forward(self, x, y):
        return x * y


@model(ROWS, (6, 4))
class Matmul(nn.Module):
    def forward(self, x, y):
        return torch.matmul(x, y)


@model(IMAGE)
class Concatenated(ConvsAdded):
    def forward(self, x):
        return F.max_pool2d(torch.cat([self.a(x), self.b(x)], 1), 2)


@model(IMAGE)
class ConcatenatedSelf(ConvsAdded):
    def forward(self, x):
        y = self.a(x)
        return torch.cat([y, y], 1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, padding=1)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.conv(x))


@model(IMAGE)
class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 3, 3, padding=1)
        self.block = Block()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        x = self.block(F.relu(self.stem(x)))
        return torch.tanh(self.head(torch.flatten(self.pool(x), 1)))


@model(ROWS)
class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.s1 = nn.Sequential(nn.Linear(6, 5), nn.ReLU())
        self.s2 = nn.Sequential(nn.Linear(5, 3), nn.ReLU())

    def forward(self, x):
        return self.s2(self.s1(x)).permute(1, 0).mean(0)


@model((3,))
class Embedded(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(7, 5)
        self.l = nn.Linear(5, 2)

    def forward(self, x):
        return self.l(self.e(x))


@model(IMAGE)
class FunctionalPools(ConvAdd):
    def forward(self, x):
        return F.adaptive_avg_pool2d(F.hardtanh(self.c(x)), 1).squeeze(3).view(2, 3)
