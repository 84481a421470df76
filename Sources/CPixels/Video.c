#include "Clones.h"
#include "CPixels.h"

// Factors have a fraction of 14 bits; 8 are dropped after each product and 6 at the end.
static inline int32_t share(int32_t value, int32_t factor) { return (value * factor) >> (8 + WEBIMAGE_FRACTION_BITS); }

static inline uint8_t to_byte(int32_t value) {
    value >>= 6;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

WEBIMAGE_CLONES void webimage_video_to_rgba(
    const uint16_t *luma, const uint16_t *blue, const uint16_t *red, uint8_t *result, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int32_t light = share(luma[i], 19077);
        result[i * 4] = to_byte(light + share(red[i], 26149) - 14234);
        result[i * 4 + 1] = to_byte(light - share(blue[i], 6419) - share(red[i], 13320) + 8708);
        result[i * 4 + 2] = to_byte(light + share(blue[i], 33050) - 17685);
        result[i * 4 + 3] = 255;
    }
}
