"""Small modules, each with what torch.export has a form of its own for."""

import torch
import torch.nn.functional as F
from torch import nn


class ConvBlock(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.bn = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.bn(self.conv(x)))


class Chain(nn.Module):
    """Three conv-bn-relu: for the priorities of a quantizer's settings."""

    def __init__(self):
        super().__init__()
        self.stem, self.block, self.head = ConvBlock(3, 4), ConvBlock(4, 4), ConvBlock(4, 4)

    def forward(self, x):
        return self.head(self.block(self.stem(x)))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = ConvBlock(3, 3)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        x = F.relu(self.block(x) + x)
        return self.fc(torch.flatten(self.pool(x), 1))


class Tied(nn.Module):
    """One weight under two names, and a linear layer that is called twice."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 4)
        self.second.weight = self.first.weight

    def forward(self, x):
        return self.second(F.relu(self.first(self.first(x))))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.feed = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Dropout(0.1), nn.Linear(16, 8))

    def forward(self, x):
        y = self.norm(x)
        y, _ = self.attention(y, y, y, need_weights=False)
        x = x + y
        return x + self.feed(x)


class Constants(nn.Module):
    """A buffer that is not saved, one that is no row-major tensor, an attribute, a literal."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.arange(1.0, 5.0), persistent=False)
        self.register_buffer("columns", torch.arange(12.0).reshape(4, 3).t())
        self.offset = torch.full((4,), 0.5)
        self.x = nn.Parameter(torch.ones(4))

    def forward(self, x):
        y = x * self.scale + self.offset + self.x
        return F.linear(y, self.columns) + torch.tensor([1.0, 2.0, 3.0])


class Structures(nn.Module):
    """Dicts and tuples in and out, None, a number, and an input with a builtin's name."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, input, rest, mask=None, *, factor=3):
        y = self.fc(input) * rest["a"] + rest["b"][0]
        return {"sum": y + factor, "rest": (rest["b"][1] - 1, None)}, input.size(1)


class Several(nn.Module):
    """Operators with several results, dtypes and memory formats as arguments."""

    def forward(self, x):
        first, second, third = torch.split(x, [1, 2, 1], dim=1)
        values, indices = torch.max(second, dim=2)
        parts = torch.chunk(third, 2, dim=-1)
        y = torch.cat([first, third], 1).contiguous(memory_format=torch.channels_last)
        y = y.to(torch.float64).clamp(max=float("inf"))
        return y, values, indices, parts[1], torch.zeros(2, dtype=torch.int32)


class Sizes(nn.Module):
    """Sizes that depend on the batch."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 3)

    def forward(self, x, y):
        flat = self.fc(x.reshape(x.shape[0] * 2, 6))
        return torch.cat([flat, flat]), y + 1


class Functional(nn.Module):
    """Functions without modules: only a strict export says which."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 4, 3)
        self.table = nn.Embedding(5, 3)

    def forward(self, x, index):
        y = F.relu(F.conv1d(x, self.conv.weight, self.conv.bias))
        y = F.hardtanh(F.max_pool1d(y, 2)) * F.sigmoid(y[:, :, :3])
        return F.linear(self.table(index), y[0, :, :]), y.mean((1, 2)), torch.pow(y, 2).sum(-1)


class Counting(nn.Module):
    """Writes to a buffer; in training mode batch norm does so too."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))
        self.bn = nn.BatchNorm1d(4)

    def forward(self, x):
        self.calls.add_(1)
        return F.dropout(self.bn(x), 0.2, self.training) + self.calls


class OutputNet(nn.Module):
    """The output network of MTCNN (Zhang, Zhang, Li, Qiao, arXiv 1604.02878)."""

    def __init__(self):
        super().__init__()
        self.conv1, self.prelu1 = nn.Conv2d(3, 32, 3), nn.PReLU(32)
        self.conv2, self.prelu2 = nn.Conv2d(32, 64, 3), nn.PReLU(64)
        self.conv3, self.prelu3 = nn.Conv2d(64, 64, 3), nn.PReLU(64)
        self.conv4, self.prelu4 = nn.Conv2d(64, 128, 2), nn.PReLU(128)
        self.pool3 = nn.MaxPool2d(3, 2, ceil_mode=True)
        self.pool2 = nn.MaxPool2d(2, 2, ceil_mode=True)
        self.dense5, self.prelu5 = nn.Linear(1152, 256), nn.PReLU(256)
        self.face, self.box, self.marks = nn.Linear(256, 2), nn.Linear(256, 4), nn.Linear(256, 10)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        x = self.pool3(self.prelu1(self.conv1(x)))
        x = self.pool3(self.prelu2(self.conv2(x)))
        x = self.pool2(self.prelu3(self.conv3(x)))
        x = self.prelu4(self.conv4(x))
        x = x.permute(0, 3, 2, 1).contiguous()
        x = self.prelu5(self.dense5(x.view(x.shape[0], -1)))
        return self.box(x), self.marks(x), self.softmax(self.face(x))
