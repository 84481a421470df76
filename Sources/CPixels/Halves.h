#pragma once

#include <stdint.h>
#include <string.h>

// IEEE 754 binary16 by integer operations, which every compiler vectorises for every processor.

static inline float float_from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float from_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = (uint32_t)(half & 0x7FFF) << 13;
    // The product moves the exponent's bias, and makes subnormal numbers normal.
    float magnitude = float_from_bits(rest) * 0x1p112f;
    uint32_t bits = bits_of(magnitude) | (rest >= 0x0F800000 ? 0x7F800000 : 0);
    return float_from_bits(bits | sign);
}

// Rounds to nearest, ties to even; beyond the range to the largest number, so that no pixel becomes infinite. NaN
// becomes 0.
static inline uint16_t to_half(float value) {
    uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000;
    float magnitude = float_from_bits(bits & 0x7FFFFFFF);
    magnitude = magnitude == magnitude ? magnitude : 0;
    magnitude = magnitude < 65504 ? magnitude : 65504;
    // Adding and subtracting a power of two rounds subnormal numbers at the right bit.
    uint32_t subnormal = bits_of(magnitude + 0.5f) - bits_of(0.5f);
    uint32_t source = bits_of(magnitude);
    uint32_t normal = (source - 0x38000000 + 0xFFF + (source >> 13 & 1)) >> 13;
    return (uint16_t)(sign | (magnitude < 0x1p-14f ? subnormal : normal));
}
