#pragma once

#include <stdint.h>
#include <string.h>
#include <vips/vips.h>

// vips' operations on RGBA of four bytes. Results are in newly allocated memory, as those of an app would be.

// A result of `width` × `height` pixels, to be freed with webimage_vips_free; without pixels for an operation that vips
// does not have.
typedef struct {
    const uint8_t *pixels;
    int32_t width, height;
} webimage_vips_result;

static inline void webimage_vips_use_threads(int32_t count) { vips_concurrency_set(count); }

// Bands of floats back to bytes, rounded.
static inline int webimage_vips_bytes(VipsImage *image, VipsImage **result) {
    VipsImage *rounded = NULL;
    if (vips_rint(image, &rounded, NULL)) return -1;
    int failure = vips_cast_uchar(rounded, result, NULL);
    g_object_unref(rounded);
    return failure;
}

static inline int webimage_vips_premultiply(VipsImage *image, VipsImage **result) {
    VipsImage *floats = NULL;
    if (vips_premultiply(image, &floats, NULL)) return -1;
    int failure = webimage_vips_bytes(floats, result);
    g_object_unref(floats);
    return failure;
}

static inline int webimage_vips_recombine(VipsImage *image, VipsImage **result) {
    VipsImage *floats = NULL;
    VipsImage *matrix = vips_image_new_matrixv(
        4, 4, 0.393, 0.769, 0.189, 0.0, 0.349, 0.686, 0.168, 0.0, 0.272, 0.534, 0.131, 0.0, 0.0, 0.0, 0.0, 1.0);
    int failure = vips_recomb(image, &floats, matrix, NULL) || webimage_vips_bytes(floats, result);
    g_object_unref(matrix);
    if (floats) g_object_unref(floats);
    return failure;
}

static inline int webimage_vips_apply(const char *operation, VipsImage *image, VipsImage **result) {
    if (!strcmp(operation, "lanczos")) return vips_resize(image, result, 0.2, "kernel", VIPS_KERNEL_LANCZOS3, NULL);
    if (!strcmp(operation, "lanczos-exact"))
        return vips_resize(image, result, 0.2, "kernel", VIPS_KERNEL_LANCZOS3, "gap", 0.0, NULL);
    if (!strcmp(operation, "box")) return vips_shrink(image, result, 5.0, 5.0, NULL);
    if (!strcmp(operation, "blur")) return vips_gaussblur(image, result, 20.0, NULL);
    if (!strcmp(operation, "premultiply")) return webimage_vips_premultiply(image, result);
    if (!strcmp(operation, "flip")) return vips_flip(image, result, VIPS_DIRECTION_HORIZONTAL, NULL);
    if (!strcmp(operation, "crop")) return vips_crop(image, result, 200, 150, 3600, 2700, NULL);
    if (!strcmp(operation, "matrix")) return webimage_vips_recombine(image, result);
    if (!strcmp(operation, "rotate")) return vips_rot270(image, result, NULL);
    if (!strcmp(operation, "tint")) {
        double factors[] = {0.5, 0.5, 0.5, 1}, colors[] = {127.5, 64, 0, 0};
        return vips_linear(image, result, factors, colors, 4, "uchar", TRUE, NULL);
    }
    return -1;
}

static inline webimage_vips_result webimage_vips_run(
    const char *operation, const uint8_t *pixels, int32_t width, int32_t height
) {
    webimage_vips_result empty = {0}, found = {0};
    VipsImage *memory = vips_image_new_from_memory(pixels, (size_t)width * height * 4, width, height, 4, VIPS_FORMAT_UCHAR);
    VipsImage *image = NULL, *result = NULL;
    int failure = vips_copy(memory, &image, "interpretation", VIPS_INTERPRETATION_sRGB, NULL)
        || webimage_vips_apply(operation, image, &result);
    if (!failure) {
        size_t size = 0;
        found.width = result->Xsize;
        found.height = result->Ysize;
        found.pixels = vips_image_write_to_memory(result, &size);
    }
    if (result) g_object_unref(result);
    if (image) g_object_unref(image);
    g_object_unref(memory);
    return failure ? empty : found;
}

static inline void webimage_vips_free(webimage_vips_result result) { g_free((void *)result.pixels); }
