"""The synthesized tones of datasets/tones.cc again, bit for bit: integers and IEEE doubles
in a fixed order. Only export_crepe.py needs it; a test compares the digests."""

import math

RATE = 16000
FRAME = 1024
MASK64 = (1 << 64) - 1


class SplitMix64:
    """Steele, Lea, Flood 2014: a counter and a finalizer."""

    def __init__(self, seed):
        self.state = seed & MASK64

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK64
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        return z ^ (z >> 31)

    def uniform(self):
        """[0, 1) with 53 bits."""
        return (self.next() >> 11) * 2.0**-53


def sine(phase):
    """sin of phase / 2**32 turns: Taylor's series to x**21 on a quarter wave."""
    signed = phase - (1 << 32) if phase >= 1 << 31 else phase
    if signed > 1 << 30:
        signed = (1 << 31) - signed
    elif signed < -(1 << 30):
        signed = -(1 << 31) - signed
    x = signed * (6.283185307179586 / 4294967296.0)
    square = x * x
    term = 1.0
    for n in range(20, 0, -2):
        term = 1.0 - square / (n * (n + 1)) * term
    return x * term


def tone(seed, index):
    """(frequency in Hz, 1024 samples as doubles) of tone `index` of a seed."""
    generator = SplitMix64((seed << 32) + index)
    base = 60.0 * (1 << (generator.next() & 3))
    frequency = base * (1.0 + generator.uniform())
    increment = int(frequency * 4294967296.0 / RATE)
    harmonics = 4 + generator.next() % 7
    samples = [0.0] * FRAME
    for harmonic in range(1, harmonics + 1):
        amplitude = (0.5 + 0.5 * generator.uniform()) / harmonic
        phase = generator.next() >> 32
        if increment * harmonic >= 1 << 31:
            continue
        for n in range(FRAME):
            samples[n] += amplitude * sine((phase + increment * harmonic * n) & 0xFFFFFFFF)
    power = 0.0
    for sample in samples:
        power += sample * sample
    noise = math.sqrt(power / FRAME) * (0.01 + 0.09 * generator.uniform())
    for n in range(FRAME):
        total = -6.0
        for _ in range(12):
            total += generator.uniform()
        samples[n] += noise * total
    return increment * (RATE / 4294967296.0), samples


def frame(samples):
    """Without its mean, divided by its unbiased standard deviation (at least 1e-10)."""
    total = 0.0
    for sample in samples:
        total += sample
    mean = total / len(samples)
    squares = 0.0
    for sample in samples:
        squares += (sample - mean) * (sample - mean)
    deviation = max(math.sqrt(squares / (len(samples) - 1)), 1e-10)
    return [(sample - mean) / deviation for sample in samples]
