#pragma once
#include <vips/vips.h>

// vips calls are variadic and its initialiser is a macro: Swift can call neither.
static inline int webimage_vips_start(void) {
    if (VIPS_INIT("benchmarks")) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    return 0;
}

// Decodes to a thumbnail of at most `side` pixels; returns the byte count of its pixels, or 0.
static inline size_t webimage_vips_thumbnail(const void *bytes, size_t count, int side) {
    VipsImage *image = NULL;
    if (vips_thumbnail_buffer((void *)bytes, count, &image, side, "height", side, NULL)) return 0;
    size_t size = 0;
    void *pixels = vips_image_write_to_memory(image, &size);
    g_free(pixels);
    g_object_unref(image);
    return size;
}
