#pragma once

// Functions of newer versions of GTK than the oldest supported one. They are looked up at run time, so that a program
// that was built with an old version uses them, too.

#include <dlfcn.h>
#include <gtk/gtk.h>

static inline void *webimage_newer_function(const char *name) {
    // The program itself, with GTK, which it links.
    return dlsym(dlopen(NULL, RTLD_LAZY), name);
}

// A GdkColorState with these code points of ITU-T H.273, in the full range, which the caller owns; from GTK 4.16 on,
// else NULL.
static inline void *webimage_color_state(guint primaries, guint transfer) {
    void *(*make)(void) = (void *(*)(void))webimage_newer_function("gdk_cicp_params_new");
    void *(*build)(void *, GError **) =
        (void *(*)(void *, GError **))webimage_newer_function("gdk_cicp_params_build_color_state");
    if (!make || !build) return NULL;
    void *parameters = make();
    const int rgb = 0, full = 1;
    g_object_set(
        parameters, "color-primaries", primaries, "transfer-function", transfer, "matrix-coefficients", rgb, "range",
        full, NULL);
    void *state = build(parameters, NULL);
    g_object_unref(parameters);
    return state;
}

typedef struct {
    int width, height;
    GdkMemoryFormat format;
    GBytes *bytes;
    gsize stride;
    // A GdkColorState; NULL for sRGB.
    void *color_state;
    // Differs from this texture in `changes` alone; NULL for a texture on its own.
    GdkTexture *previous;
    cairo_rectangle_int_t changes;
} WebImageTexture;

// Whether GTK draws only the part of a texture that differs from its predecessor: from 4.16 on.
static inline gboolean webimage_draws_changes(void) {
    return webimage_newer_function("gdk_memory_texture_builder_new") != NULL;
}

// A texture of memory, which the caller owns. Before GTK 4.16, its colours are sRGB, and GTK does not know `previous`.
static inline GdkTexture *webimage_texture_new(const WebImageTexture *texture) {
    void *(*make)(void) = (void *(*)(void))webimage_newer_function("gdk_memory_texture_builder_new");
    GdkTexture *(*build)(void *) =
        (GdkTexture * (*)(void *)) webimage_newer_function("gdk_memory_texture_builder_build");
    if (!make || !build) {
        return gdk_memory_texture_new(
            texture->width, texture->height, texture->format, texture->bytes, texture->stride);
    }
    void *builder = make();
    g_object_set(
        builder, "width", texture->width, "height", texture->height, "format", texture->format, "bytes",
        texture->bytes, "stride", (guint64)texture->stride, NULL);
    if (texture->color_state) g_object_set(builder, "color-state", texture->color_state, NULL);
    if (texture->previous) {
        cairo_region_t *region = cairo_region_create_rectangle(&texture->changes);
        g_object_set(builder, "update-texture", texture->previous, "update-region", region, NULL);
        cairo_region_destroy(region);
    }
    GdkTexture *made = build(builder);
    g_object_unref(builder);
    return made;
}
