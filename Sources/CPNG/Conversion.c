#include "Conversion.h"

// No chunk that libpng reads here needs more: PLTE and tRNS are under 1 KB.
static const png_alloc_size_t maximum_chunk_byte_count = 1 << 20;

void webimage_png_limit_chunks(png_structp png) {
    png_set_chunk_malloc_max(png, maximum_chunk_byte_count);
    png_set_chunk_cache_max(png, 16);
    // Text, profiles and the like are skipped unread (-1: all chunks that the pixels do not need), so none can be a
    // bomb.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
}

// Expands palettes and low depths, and turns tRNS into alpha. For 8 bits, 16 bits are rounded to nearest, as everywhere in
// the library.
void webimage_png_convert_to_rgba(png_structp png, png_infop info, bool is_deep) {
    if (is_deep) {
        png_set_expand_16(png);
        if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) png_set_swap(png);
    } else {
        png_set_expand(png);
        png_set_scale_16(png);
    }
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, is_deep ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t bytes_per_pixel = is_deep ? 8 : 4;
    if (png_get_rowbytes(png, info) != png_get_image_width(png, info) * bytes_per_pixel) {
        png_error(png, "unexpected pixel layout");
    }
}
