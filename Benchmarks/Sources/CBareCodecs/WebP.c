#include "CBareCodecs.h"

#include <stdlib.h>

#include <webp/decode.h>

size_t webimage_bare_webp(const uint8_t *bytes, size_t count) {
    int width = 0, height = 0;
    if (!WebPGetInfo(bytes, count, &width, &height)) return 0;
    size_t size = (size_t)width * height * 4;
    uint8_t *pixels = malloc(size);
    size_t result = pixels && WebPDecodeRGBAInto(bytes, count, pixels, size, width * 4) ? size / 4 : 0;
    free(pixels);
    return result;
}
