#include "CPixels.h"
#include "Clones.h"

#include <string.h>

WEBIMAGE_CLONES static void scale(const uint8_t *row, uint16_t share, uint8_t *result, size_t byte_count) {
    for (size_t i = 0; i < byte_count; i++) result[i] = (uint8_t)((uint16_t)(row[i] * share + 128) >> 8);
}

WEBIMAGE_CLONES static void mix(
    const uint8_t *first, const uint8_t *second, uint16_t share, uint8_t *result, size_t byte_count) {
    uint16_t rest = (uint16_t)(256 - share);
    for (size_t i = 0; i < byte_count; i++)
        result[i] = (uint8_t)((uint16_t)(first[i] * rest + second[i] * share + 128) >> 8);
}

void webimage_dissolve(
    const uint8_t *first, const uint8_t *second, uint16_t share, uint8_t *result, size_t count) {
    if (first && second)
        mix(first, second, share, result, count * 4);
    else if (first || second)
        scale(first ? first : second, first ? (uint16_t)(256 - share) : share, result, count * 4);
    else
        memset(result, 0, count * 4);
}
