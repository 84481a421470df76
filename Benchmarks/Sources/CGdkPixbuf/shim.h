#pragma once

// gdk-pixbuf's animations take a time type that GLib has deprecated.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <gdk-pixbuf/gdk-pixbuf.h>

// Plays the first `frame_count` frames of an animation in order, as GTK's image viewers do; returns the number of
// frames shown, 0 for a failure.
static inline int webimage_gdk_pixbuf_play(const void *bytes, size_t count, int frame_count) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
    int seen = 0;
    // In pieces, as gdk-pixbuf reads files itself: it moves unread bytes after each step.
    const size_t piece = 4096;
    gboolean is_taken = TRUE;
    for (size_t start = 0; is_taken && start < count; start += piece) {
        size_t length = count - start < piece ? count - start : piece;
        is_taken = gdk_pixbuf_loader_write(loader, (const guchar *)bytes + start, length, NULL);
    }
    if (is_taken && gdk_pixbuf_loader_close(loader, NULL)) {
        GTimeVal now = {0, 0};
        GdkPixbufAnimationIter *iterator = gdk_pixbuf_animation_get_iter(gdk_pixbuf_loader_get_animation(loader), &now);
        while (seen < frame_count && gdk_pixbuf_animation_iter_get_pixbuf(iterator)) {
            seen++;
            g_time_val_add(&now, gdk_pixbuf_animation_iter_get_delay_time(iterator) * 1000);
            if (seen < frame_count && !gdk_pixbuf_animation_iter_advance(iterator, &now)) break;
        }
        g_object_unref(iterator);
    }
    g_object_unref(loader);
    return seen;
}
#pragma clang diagnostic pop
