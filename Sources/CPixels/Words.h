#pragma once

#include <stdint.h>
#include <string.h>

// The four bytes of a pixel as one number, wherever they stand.
static inline uint32_t load(const uint8_t *pixel) {
    uint32_t value;
    memcpy(&value, pixel, 4);
    return value;
}

static inline void store(uint8_t *pixel, uint32_t value) { memcpy(pixel, &value, 4); }
