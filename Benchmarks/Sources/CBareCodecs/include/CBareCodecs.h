#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The codec libraries with nothing around them, the way their documentation has it: what a decode cannot be cheaper than
// in an app that calls them itself. Pixels go into memory that is fresh from malloc, and are freed again.

/// Decodes a JPEG file to four bytes a pixel; its pixels' number, 0 for a failure.
size_t webimage_bare_jpeg(const uint8_t *bytes, size_t count);

/// Decodes a PNG file to RGBA, row by row; its pixels' number, 0 for a failure.
size_t webimage_bare_png(const uint8_t *bytes, size_t count);

/// Decodes a WebP file to RGBA; its pixels' number, 0 for a failure.
size_t webimage_bare_webp(const uint8_t *bytes, size_t count);

/// Decodes an AVIF file to RGBA on one thread; its pixels' number, 0 for a failure.
size_t webimage_bare_avif(const uint8_t *bytes, size_t count);

/// Decodes a HEIC file to RGBA, tiles on the calling thread; its pixels' number, 0 for a failure.
size_t webimage_bare_heif(const uint8_t *bytes, size_t count);

/// Decodes a JPEG XL file to RGBA on one thread; its pixels' number, 0 for a failure.
size_t webimage_bare_jxl(const uint8_t *bytes, size_t count);

/// Decodes all frames of a GIF file with giflib and draws them one over the other on one canvas of RGBA, as a viewer that
/// has only giflib must; the frames' number, 0 for a failure.
size_t webimage_bare_gif(const uint8_t *bytes, size_t count);

/// Writes a JPEG file in libjpeg's own order of progressive scans; free the bytes with `free`. 0 for a failure.
size_t webimage_progressive_jpeg(const uint8_t *rgbx, uint32_t width, uint32_t height, uint8_t **bytes);

/// Writes an ICC profile of Display P3 or sRGB; its bytes, 0 for a failure.
size_t webimage_profile(bool is_wide, uint8_t *bytes, size_t capacity);
