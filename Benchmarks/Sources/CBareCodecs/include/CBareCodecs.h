#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bare codec libraries, used as their documentation shows: the minimum cost of a decode in an app that calls them
// itself. Pixels are decoded to newly allocated memory, which is freed again.

/// Decodes a JPEG file to four bytes a pixel; returns the number of pixels, 0 for a failure.
size_t webimage_bare_jpeg(const uint8_t *bytes, size_t count);

/// Writes a baseline JPEG file of `height` rows, which repeat `rows` rows of pixels; false for a failure.
bool webimage_large_jpeg(
    const char *path, const uint8_t *rgbx, uint32_t width, uint32_t rows, uint32_t height, int quality);

/// Decodes a PNG file to RGBA, row by row; returns the number of pixels, 0 for a failure.
size_t webimage_bare_png(const uint8_t *bytes, size_t count);

/// Decodes a WebP file to RGBA; returns the number of pixels, 0 for a failure.
size_t webimage_bare_webp(const uint8_t *bytes, size_t count);

/// Decodes an AVIF file to RGBA on one thread; returns the number of pixels, 0 for a failure.
size_t webimage_bare_avif(const uint8_t *bytes, size_t count);

/// Decodes a HEIC file to RGBA, tiles on the calling thread; returns the number of pixels, 0 for a failure.
size_t webimage_bare_heif(const uint8_t *bytes, size_t count);

/// Decodes a JPEG XL file to RGBA on one thread; returns the number of pixels, 0 for a failure.
size_t webimage_bare_jxl(const uint8_t *bytes, size_t count);

/// Decodes all frames of a GIF file with giflib and composites them on one RGBA canvas, as a viewer with only giflib
/// must; returns the number of frames, 0 for a failure.
size_t webimage_bare_gif(const uint8_t *bytes, size_t count);

/// Writes a progressive JPEG file with libjpeg's default scans; free the bytes with `free`. 0 for a failure.
size_t webimage_progressive_jpeg(const uint8_t *rgbx, uint32_t width, uint32_t height, uint8_t **bytes);

/// Writes an ICC profile of Display P3 or sRGB; returns the number of bytes, 0 for a failure.
size_t webimage_profile(bool is_wide, uint8_t *bytes, size_t capacity);
