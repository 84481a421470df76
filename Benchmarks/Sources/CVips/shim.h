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
// A part of a file, read as an app with vips would: without anything that is kept from one part to the next.
static inline size_t webimage_vips_region(const char *path, int left, int top, int side) {
    VipsImage *image = vips_image_new_from_file(path, NULL);
    if (!image) return 0;
    VipsImage *part = NULL;
    size_t count = 0;
    if (!vips_crop(image, &part, left, top, side, side, NULL)) {
        void *pixels = vips_image_write_to_memory(part, &count);
        g_free(pixels);
        g_object_unref(part);
    }
    g_object_unref(image);
    return count;
}

static inline size_t webimage_vips_thumbnail(const void *bytes, size_t count, int side) {
    VipsImage *image = NULL;
    if (vips_thumbnail_buffer((void *)bytes, count, &image, side, "height", side, NULL)) return 0;
    size_t size = 0;
    void *pixels = vips_image_write_to_memory(image, &size);
    g_free(pixels);
    g_object_unref(image);
    return size;
}
