#include "CTIFF.h"

#include <string.h>

static inline float half_to_float(uint16_t half) {
    // IEEE 754 binary16: shifted into binary32's fields; multiplying by 2^112 then corrects the exponent.
    uint32_t bits = (uint32_t)(half & 0x7FFF) << 13;
    float value;
    memcpy(&value, &bits, 4);
    value *= 0x1p112f;
    return half & 0x8000 ? -value : value;
}

static inline float clamp(float value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

static uint32_t packed(const webimage_tiff_samples *samples, size_t index) {
    size_t bit = (samples->first + index * samples->step) * samples->bits;
    uint64_t value = 0;
    unsigned have = 0;
    for (size_t byte = bit / 8; have < samples->bits + bit % 8; byte++, have += 8) {
        value = value << 8 | samples->row[byte];
    }
    return (uint32_t)(value >> (have - bit % 8 - samples->bits)) & (uint32_t)((1ull << samples->bits) - 1);
}

// 24-bit samples are in native byte order, too.
static inline uint32_t word(const webimage_tiff_samples *samples, size_t index) {
    const uint8_t *bytes = samples->row + (samples->first + index * samples->step) * (samples->bits / 8);
    uint16_t two;
    uint32_t four;
    switch (samples->bits) {
    case 8: return bytes[0];
    case 16: memcpy(&two, bytes, 2); return two;
    case 24:
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
#else
        return (uint32_t)bytes[2] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[0] << 16;
#endif
    default: memcpy(&four, bytes, 4); return four;
    }
}

static float floating(const webimage_tiff_samples *samples, size_t index) {
    size_t position = samples->first + index * samples->step;
    if (samples->bits == 64) {
        double value;
        memcpy(&value, samples->row + position * 8, 8);
        return (float)value;
    }
    uint32_t bits = word(samples, index);
    if (samples->bits == 16) return half_to_float((uint16_t)bits);
    // 24 bits (Adobe's note of 2005): a sign, 7 bits of exponent, 16 of mantissa.
    if (samples->bits == 24) {
        uint32_t wide = (bits & 0x7FFFFF) << 7;
        float value;
        memcpy(&value, &wide, 4);
        return (bits >> 23 ? -1 : 1) * value * 0x1p64f;
    }
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline uint32_t whole(const webimage_tiff_samples *samples, size_t index) {
    return samples->bits % 8 ? packed(samples, index) : word(samples, index);
}

static inline uint32_t integer(const webimage_tiff_samples *samples, size_t index) {
    uint32_t value = whole(samples, index);
    // Signed values are shifted up by half of the range; bytes stay as they are, as in other decoders.
    return samples->format == WEBIMAGE_TIFF_SIGNED && samples->bits != 8 ? value ^ 1u << (samples->bits - 1) : value;
}

void webimage_tiff_bytes(webimage_tiff_samples samples, uint8_t *result, size_t result_step, size_t count) {
    if (samples.format == WEBIMAGE_TIFF_FLOAT) {
        for (size_t i = 0; i < count; i++) {
            result[i * result_step] = (uint8_t)(clamp(floating(&samples, i)) * 255 + 0.5f);
        }
    } else if (samples.bits == 8 && samples.format == WEBIMAGE_TIFF_UNSIGNED) {
        for (size_t i = 0; i < count; i++) result[i * result_step] = samples.row[samples.first + i * samples.step];
    } else if (samples.bits == 16 && samples.format == WEBIMAGE_TIFF_UNSIGNED) {
        for (size_t i = 0; i < count; i++) {
            result[i * result_step] = (uint8_t)((word(&samples, i) * 255 + 32767) / 65535);
        }
    } else {
        uint64_t largest = (1ull << samples.bits) - 1;
        for (size_t i = 0; i < count; i++) {
            result[i * result_step] = (uint8_t)((integer(&samples, i) * 255ull + largest / 2) / largest);
        }
    }
}

void webimage_tiff_words(webimage_tiff_samples samples, uint16_t *result, size_t result_step, size_t count) {
    if (samples.format == WEBIMAGE_TIFF_FLOAT) {
        for (size_t i = 0; i < count; i++) {
            result[i * result_step] = (uint16_t)(clamp(floating(&samples, i)) * 65535 + 0.5f);
        }
        return;
    }
    uint64_t largest = (1ull << samples.bits) - 1;
    for (size_t i = 0; i < count; i++) {
        result[i * result_step] = (uint16_t)((integer(&samples, i) * 65535ull + largest / 2) / largest);
    }
}

void webimage_tiff_indices(webimage_tiff_samples samples, uint16_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) result[i] = (uint16_t)whole(&samples, i);
}

void webimage_tiff_floats(webimage_tiff_samples samples, float *result, size_t count) {
    if (samples.format == WEBIMAGE_TIFF_FLOAT) {
        for (size_t i = 0; i < count; i++) result[i] = floating(&samples, i);
        return;
    }
    bool is_signed = samples.format == WEBIMAGE_TIFF_SIGNED;
    uint32_t sign = is_signed ? 1u << (samples.bits - 1) : 0;
    double scale = 1 / (is_signed ? (double)sign - 1 : (double)((1ull << samples.bits) - 1));
    for (size_t i = 0; i < count; i++) {
        result[i] = (float)(((double)(whole(&samples, i) ^ sign) - (double)sign) * scale);
    }
}

void webimage_tiff_unassociate(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + i * 4;
        for (int channel = 0; channel < 3; channel++) {
            uint32_t value = pixel[3] ? pixel[channel] * 255u / pixel[3] : 0;
            pixel[channel] = (uint8_t)(value < 255 ? value : 255);
        }
    }
}
