#include "CBareCodecs.h"

#include <stdlib.h>

#include <avif/avif.h>

size_t webimage_bare_avif(const uint8_t *bytes, size_t count) {
    avifDecoder *decoder = avifDecoderCreate();
    size_t result = 0;
    if (decoder && avifDecoderSetIOMemory(decoder, bytes, count) == AVIF_RESULT_OK &&
        avifDecoderParse(decoder) == AVIF_RESULT_OK && avifDecoderNextImage(decoder) == AVIF_RESULT_OK) {
        avifRGBImage pixels;
        avifRGBImageSetDefaults(&pixels, decoder->image);
        pixels.depth = 8;
        pixels.rowBytes = pixels.width * 4;
        pixels.pixels = malloc((size_t)pixels.rowBytes * pixels.height);
        if (pixels.pixels && avifImageYUVToRGB(decoder->image, &pixels) == AVIF_RESULT_OK)
            result = (size_t)pixels.width * pixels.height;
        free(pixels.pixels);
    }
    if (decoder) avifDecoderDestroy(decoder);
    return result;
}
