"""Our own cases: small models, each after one thing that the pipeline does to it."""

import operator

import torch
import torch.nn.functional as F
from records import names, pipeline
from torch import nn
from torch.ao import quantization as q
from torch.ao.quantization import QConfig, QConfigMapping, observer
from torch.ao.quantization import qconfig as named
from torch.ao.quantization.backend_config import (
    BackendConfig,
    BackendPatternConfig,
    DTypeConfig,
    DTypeWithConstraints,
    ObservationType,
)
from torch.ao.quantization.fx.custom_config import ConvertCustomConfig, PrepareCustomConfig

CASES = []


def case(shape=(2, 4), **settings):
    """Registers a function that makes a model; its name is the case's."""

    def register(make):
        CASES.append((make.__name__, make, shape, settings))
        return make

    return register


def default(backend):
    return lambda: q.get_default_qconfig_mapping(backend)


def default_qat(backend, version=1):
    return lambda: q.get_default_qat_qconfig_mapping(backend, version=version)


def everywhere(qconfig):
    return lambda: QConfigMapping().set_global(qconfig)


# 7-bit activations: engines without VNNI would saturate with 8, and differ from others.
STATIC = QConfig(
    activation=observer.MinMaxObserver.with_args(dtype=torch.quint8, reduce_range=True),
    weight=observer.PerChannelMinMaxObserver.with_args(
        dtype=torch.qint8, qscheme=torch.per_channel_symmetric),
)
PLAIN = QConfig(
    activation=observer.MinMaxObserver.with_args(dtype=torch.quint8),
    weight=observer.MinMaxObserver.with_args(
        dtype=torch.qint8, qscheme=torch.per_tensor_symmetric),
)
SIGNED = QConfig(
    activation=observer.MinMaxObserver.with_args(dtype=torch.qint8, eps=2**-12),
    weight=observer.MinMaxObserver.with_args(
        dtype=torch.qint8, qscheme=torch.per_tensor_symmetric, quant_min=-127,
        quant_max=127, eps=2**-12),
)


class Model(nn.Module):
    """A module whose children and forward are given."""

    def __init__(self, forward, **children):
        super().__init__()
        for name, child in children.items():
            setattr(self, name, child)
        self.run = forward

    def forward(self, x):
        return self.run(self, x)


class Model2(Model):
    def forward(self, x, y):
        return self.run(self, x, y)


def norm(kind, channels):
    made = kind(channels)
    nn.init.uniform_(made.weight, 0.5, 1.5)
    nn.init.uniform_(made.bias, -0.5, 0.5)
    made.running_mean.uniform_(-0.3, 0.3)
    made.running_var.uniform_(0.6, 1.4)
    return made


@case((1, 2, 5, 5), mapping=default("x86"), config="x86")
def fork_and_join():
    """Two branches of one tensor, joined and mixed by a 1x1 convolution."""
    return Model(
        lambda m, x: m.mix(torch.cat([F.relu(m.left(x)), torch.tanh(m.right(x))], 1)),
        left=nn.Conv2d(2, 2, 3, padding=1), right=nn.Conv2d(2, 2, 1), mix=nn.Conv2d(4, 3, 1))


@case((1, 4, 4, 4), mapping=default("fbgemm"), config="fbgemm")
def squeeze_excite():
    """A gate from global means: mean with dims, hardsigmoid, a broadcast product."""
    return Model(
        lambda m, x: x * m.gate(m.up(F.relu(m.down(x.mean((2, 3), keepdim=True))))),
        down=nn.Conv2d(4, 2, 1), up=nn.Conv2d(2, 4, 1), gate=nn.Hardsigmoid())


@case((2, 3, 6), mapping=everywhere(STATIC), config="native")
def token_mixer():
    """Linear layers along both axes with a residual, by method transposes."""
    def forward(m, x):
        y = m.tokens(x.transpose(1, 2)).transpose(1, 2)
        x = x + y
        return x + m.channels(x)
    return Model(forward, tokens=nn.Linear(3, 3), channels=nn.Linear(6, 6))


@case((1, 3, 4), mapping=default("x86"), config="native")
def attention_head():
    """Products of activations and a softmax between them."""
    def forward(m, x):
        scores = m.soft(torch.matmul(m.query(x), m.key(x).transpose(-2, -1)) * 0.5)
        return torch.matmul(scores, m.value(x))
    return Model(forward, query=nn.Linear(4, 4), key=nn.Linear(4, 4), value=nn.Linear(4, 4),
                 soft=nn.Softmax(dim=-1))


@case((3, 5), mapping=everywhere(STATIC), config="native")
def called_three_times():
    """One linear module at three places: one weight, three output observers."""
    return Model(lambda m, x: m.fc(F.relu(m.fc(x))) + m.fc(x * 2), fc=nn.Linear(5, 5))


@case((2, 4), mapping=everywhere(STATIC), config="native", engines=())
def weight_from_arithmetic():
    """The weight of F.linear is computed: its producers run at conversion."""
    made = Model(lambda m, x: F.linear(x, m.base * m.gain, m.shift))
    made.base = nn.Parameter(torch.randn(3, 4) * 0.3)
    made.gain = nn.Parameter(torch.rand(3, 1) + 0.5)
    made.shift = nn.Parameter(torch.randn(3))
    return made


@case((1, 2, 6, 6), mapping=everywhere(STATIC), config="native", engines=())
def circular_padding():
    """A reference convolution forgets its padding mode."""
    return Model(lambda m, x: m.conv(x), conv=nn.Conv2d(2, 2, 3, padding=1,
                                                        padding_mode="circular"))


@case((2, 4), mapping=everywhere(STATIC), config="native")
def names_that_collide():
    """Modules named as the pipeline names its own nodes."""
    def forward(m, x):
        x = m.add(m.dequantize(x)) + m.quantize_per_tensor(x)
        return m.activation_post_process_0(x)
    return Model(forward, dequantize=nn.Linear(4, 4), add=nn.ReLU(),
                 quantize_per_tensor=nn.Linear(4, 4), activation_post_process_0=nn.Linear(4, 2))


@case((2, 3), mapping=everywhere(PLAIN), config="native", engines=())
def constant_operand():
    """A tensor made in forward becomes an attribute that is observed."""
    return Model(lambda m, x: torch.mul(m.fc(x) + torch.tensor([0.5, -1.0]), torch.tensor(2.0)),
                 fc=nn.Linear(3, 2))


@case((1, 4, 3, 3), mapping=default("qnnpack"), config="qnnpack", engines=())
def separable_hardswish():
    return Model(lambda m, x: m.point(m.act(m.norm(m.depth(x)))),
                 depth=nn.Conv2d(4, 4, 3, padding=1, groups=4, bias=False),
                 norm=norm(nn.BatchNorm2d, 4), act=nn.Hardswish(), point=nn.Conv2d(4, 3, 1))


@case((2, 5), mapping=everywhere(named.default_dynamic_qconfig), config="native")
def dynamic_pair():
    return Model(lambda m, x: m.out(F.relu(m.hidden(x))), hidden=nn.Linear(5, 6),
                 out=nn.Linear(6, 2, bias=False))


@case((3, 2, 4), mapping=everywhere(named.default_dynamic_qconfig), config="native",
      stages=("reference", "lowered"))
def dynamic_gru():
    """Two layers, both directions."""
    return Model(lambda m, x: m.rnn(x)[0], rnn=nn.GRU(4, 2, num_layers=2, bidirectional=True))


@case((2, 4), mapping=everywhere(named.float16_dynamic_qconfig), config="native",
      stages=("reference", "lowered"))
def half_dynamic():
    return Model(lambda m, x: torch.relu(m.fc(x)), fc=nn.Linear(4, 3))


@case("index", config="native", stages=("reference", "lowered"),
      mapping=lambda: QConfigMapping().set_object_type(
          nn.Embedding, named.float_qparams_weight_only_qconfig).set_object_type(
          nn.Linear, named.default_dynamic_qconfig))
def table_then_dynamic():
    return Model(lambda m, x: m.out(m.table(x).sum(1)), table=nn.Embedding(7, 4),
                 out=nn.Linear(4, 2))


@case((1, 2, 4, 4), mapping=default("onednn"), config="onednn", engines=())
def onednn_sum_of_convolutions():
    """conv + add + relu with the other operand on the right."""
    return Model(lambda m, x: m.act(torch.add(m.one(x), m.two(x))), one=nn.Conv2d(2, 3, 1),
                 two=nn.Conv2d(2, 3, 1), act=nn.ReLU())


@case((2, 6), mapping=default_qat("x86"), config="x86", is_qat=True)
def qat_linear_norm():
    return Model(lambda m, x: m.out(m.act(m.norm(m.fc(x)))), fc=nn.Linear(6, 4),
                 norm=norm(nn.BatchNorm1d, 4), act=nn.ReLU(), out=nn.Linear(4, 3))


@case((2, 2, 4, 4), mapping=default_qat("fbgemm", 0), config="fbgemm", is_qat=True)
def qat_depthwise():
    return Model(lambda m, x: F.relu(m.norm(m.conv(x))),
                 conv=nn.Conv2d(2, 2, 3, padding=1, groups=2, bias=False),
                 norm=norm(nn.BatchNorm2d, 2))


@case((2, 4), mapping=lambda: q.get_default_qat_qconfig_mapping("x86").set_module_name(
    "off", None), config="x86", is_qat=True)
def qat_one_off():
    return Model(lambda m, x: m.on(m.off(x)), on=nn.Linear(4, 4), off=nn.Linear(4, 4))


def io_config():
    json = {"input_quantized_indexes": [1], "output_quantized_indexes": [0]}
    made = PrepareCustomConfig()
    made.set_input_quantized_indexes([1]).set_output_quantized_indexes([0])
    return made, json


@case([(2, 4), (2, 4)], mapping=everywhere(PLAIN), config="native", custom=io_config,
      stages=("reference",))
def second_input_quantized():
    return Model2(lambda m, x, y: (m.fc(x) + y, y), fc=nn.Linear(4, 4))


class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.fc(x))


def opaque_config():
    made = PrepareCustomConfig().set_non_traceable_module_classes([Inner])
    made.set_preserved_attributes(["version"])
    return made, {"non_traceable_module_classes": ["Inner"],
                  "preserved_attributes": ["version"]}


@case((2, 4), mapping=everywhere(PLAIN), config="native", custom=opaque_config, engines=())
def opaque_block():
    made = Model(lambda m, x: m.out(m.block(x)), block=Inner(), out=nn.Linear(4, 2))
    made.version = 3
    return made


def matmul_add_config():
    weighted = DTypeConfig(torch.quint8, torch.quint8, torch.qint8, torch.float)
    act = DTypeConfig(torch.quint8, torch.quint8)
    import torch.ao.nn.quantized.reference as nnqr

    return BackendConfig("matmul_add").set_backend_pattern_configs([
        BackendPatternConfig((torch.matmul, torch.add, nn.ReLU)).set_dtype_configs([act]),
        BackendPatternConfig(torch.matmul).set_dtype_configs([act]),
        BackendPatternConfig(nn.Linear).set_dtype_configs([weighted]).set_root_module(
            nn.Linear).set_reference_quantized_module(nnqr.Linear),
        BackendPatternConfig(torch.flatten).set_dtype_configs([act]).set_observation_type(
            ObservationType.OUTPUT_SHARE_OBSERVER_WITH_INPUT),
    ])


@case((2, 3, 4), mapping=everywhere(PLAIN), config=matmul_add_config, engines=())
def own_backend_three_operators():
    """(matmul, add, relu) has one argument a part: add(matmul, x) does not match it."""
    def forward(m, x):
        product = torch.matmul(x, x.transpose(1, 2))
        return m.fc(torch.flatten(m.act(torch.add(product, product)), 1))
    return Model(forward, act=nn.ReLU(), fc=nn.Linear(9, 2))


def narrow_config():
    import torch.ao.nn.quantized.reference as nnqr

    def entry(low, high):
        kind = DTypeWithConstraints(dtype=torch.quint8, quant_min_lower_bound=low,
                                    quant_max_upper_bound=high, scale_min_lower_bound=1e-7)
        return DTypeConfig(kind, kind, torch.qint8, torch.float)

    linear = BackendPatternConfig(nn.Linear).set_root_module(nn.Linear)
    linear.set_reference_quantized_module(nnqr.Linear)
    linear.set_dtype_configs([entry(0, 100), entry(0, 127)])
    return BackendConfig("narrow").set_backend_pattern_config(linear)


@case((2, 4), config=narrow_config, engines=(), mapping=lambda: QConfigMapping().set_global(
    PLAIN).set_module_name("inside", STATIC))
def own_backend_narrow_range():
    """0..127 falls within the second dtype config, 0..255 within none."""
    return Model(lambda m, x: m.outside(m.inside(x)), inside=nn.Linear(4, 4),
                 outside=nn.Linear(4, 2))


@case((2, 6), mapping=everywhere(PLAIN), config="native", engines=())
def no_pattern():
    """Operators that no built-in config knows stay between quantized ones."""
    return Model(lambda m, x: m.two(F.normalize(F.softplus(m.one(x)), dim=-1) - 0.5),
                 one=nn.Linear(6, 4), two=nn.Linear(4, 2))


@case((2, 4, 4), mapping=everywhere(STATIC), config="native", engines=())
def sizes_and_slices():
    """Arithmetic of sizes is no tensor; slices are not observed."""
    def forward(m, x):
        first, rest = torch.split(m.fc(x), [1, 3], dim=1)
        return (first + rest[:, 1:2]).reshape(x.shape[0], x.size(-1) // 2 * 2)
    return Model(forward, fc=nn.Linear(4, 4))


@case((1, 2, 3, 4, 4), mapping=everywhere(STATIC), config="native")
def volume_pool():
    return Model(lambda m, x: F.max_pool3d(m.act(m.conv(x)), 2), conv=nn.Conv3d(2, 2, 1),
                 act=nn.ReLU())


@case((1, 3, 5), mapping=everywhere(PLAIN), config="native", engines=())
def functional_transpose():
    made = Model(lambda m, x: F.relu(F.conv_transpose1d(x, m.kernel, m.bias, (2,), (1,))))
    made.kernel = nn.Parameter(torch.randn(3, 2, 3) * 0.4)
    made.register_buffer("bias", torch.randn(2))
    return made


@case((1, 4, 4, 4), mapping=default("x86"), config="native", engines=())
def functional_norms():
    def forward(m, x):
        x = F.group_norm(x, 2, m.gain, m.offset)
        return F.instance_norm(F.layer_norm(x, (4,)), weight=m.gain, bias=m.offset)
    made = Model(forward)
    made.gain = nn.Parameter(torch.rand(4) + 0.5)
    made.offset = nn.Parameter(torch.randn(4))
    return made


@case((1, 4, 3, 3), mapping=everywhere(STATIC), config="native")
def shuffle_and_resize():
    return Model(lambda m, x: F.interpolate(m.shuffle(m.conv(x)), scale_factor=2),
                 conv=nn.Conv2d(4, 4, 1), shuffle=nn.PixelShuffle(2))


@case((2, 4), mapping=everywhere(STATIC), config="native")
def in_place():
    return Model(lambda m, x: F.hardtanh_(m.act(m.fc(x)).add_(0.25), 0.0, 0.5),
                 fc=nn.Linear(4, 4), act=nn.ReLU(inplace=True))


@case((2, 4), mapping=everywhere(STATIC), config="native",
      convert_mapping=lambda: QConfigMapping().set_global(STATIC).set_module_name(
          "second", None))
def off_at_conversion():
    return Model(lambda m, x: m.second(m.first(x)), first=nn.Linear(4, 4),
                 second=nn.Linear(4, 2))


@case((2, 4), mapping=lambda: QConfigMapping().set_global(STATIC).set_module_name_regex(
    "b.*c$", None).set_module_name_object_type_order("", operator.add, 1, None).set_object_type(
    "permute", None), config="native", engines=())
def rules_of_every_level():
    class Branch(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(4, 4)

        def forward(self, x):
            return self.fc(x) + x

    def forward(m, x):
        x = m.branch(x) + x
        return (x + 1.0).permute(1, 0)
    return Model(forward, branch=Branch())


@case((2, 3), mapping=default("onednn"), config="onednn", engines=())
def error_per_channel_transpose():
    """onednn's default mapping refuses every transposed convolution."""
    return Model(lambda m, x: m.up(x.unsqueeze(0)), up=nn.ConvTranspose1d(2, 2, 2))


@case((2, 3), mapping=everywhere(named.default_activation_only_qconfig), config="native",
      engines=())
def error_identity_weight():
    """default_activation_only_qconfig's weight has no dtype to ask for."""
    return Model(lambda m, x: m.fc(x), fc=nn.Linear(3, 2))


@case((2, 3), engines=(), config="native", mapping=everywhere(QConfig(
    activation=PLAIN.activation, weight=observer.MinMaxObserver.with_args(
        dtype=torch.qint8, quant_min=1, quant_max=100))))
def error_range_without_zero():
    return Model(lambda m, x: m.fc(x), fc=nn.Linear(3, 2))


@case((2, 4), config="executorch", engines=(), mapping=everywhere(SIGNED))
def executorch_signed():
    return Model(lambda m, x: m.two(F.leaky_relu(m.one(x))), one=nn.Linear(4, 4),
                 two=nn.Linear(4, 2))


@case((1, 2, 4, 4), config="tensorrt", engines=(), mapping=everywhere(SIGNED))
def tensorrt_signed():
    return Model(lambda m, x: m.act(m.conv(x) + m.short(x)), conv=nn.Conv2d(2, 2, 3, padding=1),
                 short=nn.Conv2d(2, 2, 1), act=nn.ReLU())


LSTM = {"torch.nn.LSTM": "torch.ao.nn.quantizable.LSTM"}
ATTENTION = {"torch.nn.MultiheadAttention": "torch.ao.nn.quantizable.MultiheadAttention"}


def torchs_own(classes):
    """Settings under which prepare and convert use torch's own custom modules."""
    prepare, convert = PrepareCustomConfig(), ConvertCustomConfig()
    quantized = {}
    for name, observed in classes.items():
        quantized[observed] = observed.replace("quantizable", "quantized")
        prepare.set_float_to_observed_mapping(names.find(name), names.find(observed))
        convert.set_observed_to_quantized_mapping(
            names.find(observed), names.find(quantized[observed]))
    return {
        "custom": lambda: (prepare, {"float_to_observed_mapping": {"STATIC": classes}}),
        "convert_custom_config": convert,
        "convert_custom_json": {"observed_to_quantized_mapping": {"STATIC": quantized}},
    }


class Model3(Model):
    def forward(self, x, y, z):
        return self.run(self, x, y, z)


@case([(3, 2, 4), (1, 2, 3), (1, 2, 3)], mapping=everywhere(STATIC), config="fbgemm",
      **torchs_own(LSTM))
def inner_lstm():
    """An LSTM of observed parts; its states are given, and returned."""
    def forward(m, x, h, c):
        y, (h, c) = m.lstm(x, (h, c))
        return m.fc(y), h, c
    return Model3(forward, lstm=nn.LSTM(4, 3), fc=nn.Linear(3, 2))


@case([(2, 3, 4), (4, 2, 3), (4, 2, 3)], mapping=everywhere(STATIC), config="native",
      engines=("fbgemm", "qnnpack"), **torchs_own(LSTM))
def inner_lstm_of_four():
    """Two layers of two directions, the batch first, no biases."""
    def forward(m, x, h, c):
        y, state = m.lstm(x, (h, c))
        return torch.relu(y), state[0]
    return Model3(forward, lstm=nn.LSTM(
        4, 3, num_layers=2, bidirectional=True, batch_first=True, bias=False))


@case((3, 2, 4), mapping=everywhere(PLAIN), config="native", **torchs_own(LSTM))
def inner_lstm_without_states():
    """Convert wants the states of an LSTM."""
    return Model(lambda m, x: m.fc(m.lstm(x)[0]), lstm=nn.LSTM(4, 3), fc=nn.Linear(3, 2))


@case([(3, 2, 4), (1, 2, 3), (1, 2, 3)], mapping=default_qat("fbgemm", 0), config="fbgemm",
      is_qat=True, **torchs_own(LSTM))
def inner_lstm_in_training():
    """An LSTM whose parts train with fake-quantizers."""
    def forward(m, x, h, c):
        return m.lstm(x, (h, c))[0]
    return Model3(forward, lstm=nn.LSTM(4, 3))


@case((3, 2, 4), mapping=everywhere(STATIC), config="fbgemm", **torchs_own(ATTENTION))
def inner_attention():
    """Calibration fails on the observer behind an attention's tuple."""
    return Model(lambda m, x: m.fc(m.heads(x, x, x)[0]),
                 heads=nn.MultiheadAttention(4, 2), fc=nn.Linear(4, 2))


@case(mapping=everywhere(STATIC), config="fbgemm", engines=("x86", "fbgemm"))
def names_of_dead_nodes():
    """The name of a node that conversion drops stays taken when the next is lowered."""
    def forward(m, x):
        torch.add(x, 1.5)
        return torch.add(m.left(x), m.right(x))
    return Model(forward, left=nn.Linear(4, 2), right=nn.Linear(4, 2))


@case(mapping=default_qat("x86", 0), config="x86", is_qat=True)
def called_by_keyword():
    """Trained modules whose input is given by name."""
    return Model(lambda m, x: m.out(input=F.relu(m.fc(input=x))), fc=nn.Linear(4, 3),
                 out=nn.Linear(3, 2))


class WithFactor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x, factor=1.5):
        return self.fc(x * factor)


@case(mapping=everywhere(PLAIN), config="native")
def observed_number():
    """A placeholder's default is observed, though it is no tensor."""
    return WithFactor()


@case(mapping=lambda: QConfigMapping().set_global(PLAIN).set_module_name("act", QConfig(
    activation=observer.MinMaxObserver.with_args(quant_min=10, quant_max=200),
    weight=PLAIN.weight)), config="native")
def error_range_of_no_observer():
    """Propagation constructs observers for modules that are never observed."""
    return Model(lambda m, x: m.act(m.fc(x)), fc=nn.Linear(4, 2), act=nn.GELU())


@case(mapping=default_qat("fbgemm", 0), config="fbgemm", is_qat=True,
      custom=lambda: (PrepareCustomConfig().set_input_quantized_indexes([0]),
                      {"input_quantized_indexes": [0]}))
def trained_on_codes():
    """The input arrives quantized after conversion, and as float before."""
    return Model(lambda m, x: m.fc(x), fc=nn.Linear(4, 2))


@case((1, 2, 4, 4), mapping=everywhere(STATIC), config="qnnpack", engines=("qnnpack",))
def pools_of_codes():
    """QNNPACK's average pools count the padding whatever they are told."""
    return Model(lambda m, x: m.pool(F.avg_pool2d(x, 2, 1, 1, False, False)),
                 pool=nn.AvgPool2d(2, stride=1))


@case(mapping=everywhere(STATIC), config="fbgemm")
def products_of_ranks():
    """A lowered matmul takes operands of unlike ranks."""
    return Model(lambda m, x: torch.matmul(torch.unsqueeze(x, 0), m.fc(x).transpose(0, 1)),
                 fc=nn.Linear(4, 4))


class Crossed(nn.Module):
    """A forward that no record holds."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        return self.a(x) * self.b(x)


@case(mapping=everywhere(STATIC), config="fbgemm", custom=lambda: (
    PrepareCustomConfig().set_non_traceable_module_classes([Crossed]),
    {"non_traceable_module_classes": ["Crossed"]}))
def forward_unknown():
    """Only the structure of a model with an opaque class can be compared."""
    return Model(lambda m, x: m.fc(m.inner(x)), inner=Crossed(), fc=nn.Linear(4, 2))


@case((2, 4, 3), mapping=default_qat("x86", 0), config="x86", is_qat=True)
def linear_norm_of_rank_three():
    """A trained linear's scale runs along the last axis, its norm's along the second."""
    return Model(lambda m, x: m.norm(m.fc(x)), fc=nn.Linear(3, 4),
                 norm=norm(nn.BatchNorm1d, 4))


@case(mapping=everywhere(STATIC), config="native", is_qat=True)
def trained_with_observers():
    """Observers where a trained module has fake-quantizers: they leave its weight alone."""
    return Model(lambda m, x: m.out(F.relu(m.fc(x))), fc=nn.Linear(4, 3), out=nn.Linear(3, 2))


@case(mapping=lambda: QConfigMapping().set_global(STATIC).set_module_name(
    "a", named.float16_dynamic_qconfig), config="native")
def error_half_among_codes():
    """A half-precision layer whose output is observed cannot be packed."""
    return Model(lambda m, x: m.b(F.relu(m.a(x))) + x, a=nn.Linear(4, 4), b=nn.Linear(4, 4))


@case((2, 4), mapping=everywhere(named.default_dynamic_qconfig), config="onednn",
      engines=("onednn",), stages=("reference", "lowered"))
def dynamic_chain_of_onednn():
    """oneDNN rounds the float output of a dynamic linear in its own way, the second one too."""
    layers = {f"fc{index}": nn.Linear(4, 4) for index in range(4)}
    return Model(lambda m, x: m.fc3(F.relu(m.fc2(m.fc1(F.relu(m.fc0(x)))))), **layers)


@case((1, 2, 6, 6), mapping=everywhere(STATIC), config="qnnpack",
      engines=("qnnpack", "fbgemm"))
def clamps_of_channels_last():
    """QNNPACK's clamps permute what convolutions, sums and cat of images give."""
    def forward(m, x):
        y = F.max_pool2d(m.first(m.widen(x)), 2)
        y = F.hardtanh(y + m.mix(y), -0.5, 0.75)
        y = torch.cat([m.narrow(y), m.narrow(y)], 1)
        return torch.clamp(y, -0.25, 0.5).reshape(1, -1)
    return Model(forward, widen=nn.Conv2d(2, 3, 3, padding=1), first=nn.ReLU6(),
                 mix=nn.Conv2d(3, 3, 1), narrow=nn.Conv2d(3, 2, 1))


@case((1, 2, 4, 4), mapping=everywhere(STATIC), config="fbgemm",
      engines=("fbgemm", "qnnpack"))
def view_of_channels_last():
    """A view that only a float convolution's result allows."""
    return Model(lambda m, x: m.conv(x).view(1, -1), conv=nn.Conv2d(2, 3, 3))


@case((2, 2, 6, 6), mapping=everywhere(STATIC), config="fbgemm",
      engines=("fbgemm", "qnnpack"))
def averages_of_formats():
    """Averages whose ties go with the memory format and the engine."""
    def forward(m, x):
        y = F.avg_pool2d(x, (1, 2)) + F.avg_pool2d(m.conv(x), (1, 2))
        return y.mean((2, 3)) * m.pool(m.conv(x)).mean((-2, -1))
    return Model(forward, conv=nn.Conv2d(2, 2, 1), pool=nn.AdaptiveAvgPool2d((1, 6)))


def batches(shape, count=3):
    shapes = shape if isinstance(shape, list) else [shape]
    return [[torch.randint(0, 7, (2, 3)) if s == "index" else torch.randn(*s) for s in shapes]
            for _ in range(count)]


def make(index):
    """The case of this index as pipeline.Case."""
    name, make_model, shape, settings = CASES[index]
    settings = dict(settings)
    torch.manual_seed(7000 + index)
    model = make_model()
    config = settings.pop("config")
    custom, custom_json = settings.pop("custom", lambda: (None, None))()
    mapping = settings.pop("mapping")()
    convert_mapping = settings.pop("convert_mapping", lambda: None)()
    engines = settings.pop("engines", ("fbgemm",))
    stages = settings.pop("stages", ("reference", "decomposed", "lowered"))
    return pipeline.Case(
        name=name, model=model, inputs=batches(shape), mapping=mapping, seed=7000 + index,
        note=(make_model.__doc__ or "").strip(), custom_config=custom,
        backend_config=config if isinstance(config, str) else config(),
        custom_json=custom_json, convert_mapping=convert_mapping, engines=engines,
        stages=stages if engines else tuple(s for s in stages if s != "lowered"), **settings)


def matrix_models():
    """Models for fx_matrix: (name, function that makes it, shape)."""
    def gated():
        return Model(lambda m, x: torch.sigmoid(m.gate(x)) * m.norm(F.relu(m.value(x))),
                     gate=nn.Linear(4, 3), value=nn.Linear(4, 3), norm=nn.LayerNorm(3))

    def bottleneck():
        return Model(
            lambda m, x: F.adaptive_avg_pool2d(m.act(m.norm(m.conv(x)) + x), 1).flatten(1),
            conv=nn.Conv2d(2, 2, 3, padding=1, bias=False), norm=norm(nn.BatchNorm2d, 2),
            act=nn.ReLU())

    def upsampler():
        return Model(lambda m, x: m.act(m.up(x)), up=nn.ConvTranspose2d(2, 2, 2, stride=2),
                     act=nn.ELU())

    return [("gated", gated, (2, 4)), ("bottleneck", bottleneck, (1, 2, 4, 4)),
            ("upsampler", upsampler, (1, 2, 3, 3))]
