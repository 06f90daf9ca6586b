"""Writes datasets/models/bert_layer: an encoder layer of BERT-base without weights.

    python datasets/export/bert_layer.py

needs torch 2.14.1 and writes the same bytes every time. The layer is that of Devlin et al.,
"BERT: Pre-training of Deep Bidirectional Transformers" (arXiv 1810.04805): hidden size 768, 12
heads, 3072 inner units, sequences of 128, no mask. Dividing scores by 8 is multiplying by 0.125.
"""

import pathlib

import torch
import vision_models
from torch import nn

HIDDEN, HEADS, INNER, SEQUENCE = 768, 12, 3072, 128


class BertLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(HIDDEN, HIDDEN)
        self.key = nn.Linear(HIDDEN, HIDDEN)
        self.value = nn.Linear(HIDDEN, HIDDEN)
        self.attention_output = nn.Linear(HIDDEN, HIDDEN)
        self.attention_norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.intermediate = nn.Linear(HIDDEN, INNER)
        self.gelu = nn.GELU()
        self.output = nn.Linear(INNER, HIDDEN)
        self.output_norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.softmax = nn.Softmax(dim=-1)

    def heads(self, x):
        return x.reshape(-1, SEQUENCE, HEADS, HIDDEN // HEADS).permute(0, 2, 1, 3)

    def forward(self, x):
        query, key, value = self.query(x), self.key(x), self.value(x)
        scores = torch.matmul(self.heads(query), self.heads(key).transpose(-1, -2))
        weights = self.softmax(torch.mul(scores, 0.125))
        context = torch.matmul(weights, self.heads(value))
        context = context.permute(0, 2, 1, 3).reshape(-1, SEQUENCE, HIDDEN)
        x = self.attention_norm(torch.add(self.attention_output(context), x))
        inner = self.gelu(self.intermediate(x))
        return self.output_norm(torch.add(self.output(inner), x))


def main():
    folder = pathlib.Path(__file__).parent.parent / "models" / "bert_layer"
    folder.mkdir(exist_ok=True)
    about = "an encoder layer of BERT-base without weights, by datasets/export/bert_layer.py"
    vision_models.write_graph(BertLayer().eval(), about, folder / "float.graph.json")


if __name__ == "__main__":
    main()
