#include "CBareCodecs.h"

#include <stdlib.h>
#include <string.h>

#include <png.h>

typedef struct {
    const uint8_t *next;
    size_t remaining;
} source;

static void read_bytes(png_structp png, png_bytep buffer, size_t count) {
    source *from = png_get_io_ptr(png);
    if (count > from->remaining) png_error(png, "the file is too short");
    memcpy(buffer, from->next, count);
    from->next += count;
    from->remaining -= count;
}

static size_t read_pixels(png_structp png, png_infop info) {
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t row_size = png_get_rowbytes(png, info);
    png_uint_32 height = png_get_image_height(png, info);
    uint8_t *pixels = malloc(row_size * height);
    for (int pass = 0; pixels && pass < passes; pass++)
        for (png_uint_32 y = 0; y < height; y++) png_read_row(png, pixels + row_size * y, NULL);
    if (pixels) png_read_end(png, NULL);
    free(pixels);
    return pixels ? (size_t)png_get_image_width(png, info) * height : 0;
}

size_t webimage_bare_png(const uint8_t *bytes, size_t count) {
    source from = {bytes, count};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    size_t result = 0;
    // Nothing is freed after an error, which ends the benchmark.
    if (info && !setjmp(png_jmpbuf(png))) {
        png_set_read_fn(png, &from, read_bytes);
        result = read_pixels(png, info);
    }
    if (png) png_destroy_read_struct(&png, &info, NULL);
    return result;
}
