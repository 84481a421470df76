#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// librsvg without GLib's and cairo's types: a program with both modules would take those types from GTK's module.

typedef struct webimage_svg webimage_svg;

/// librsvg's message for a failure.
typedef struct {
    char text[256];
} webimage_svg_message;

/// The document's size attributes: in pixels of 1/96 inch, NaN for missing ones and percentages.
typedef struct {
    double width, height, view_box_width, view_box_height;
} webimage_svg_size;

/// Parses XML without a base URL, so that no reference is loaded but `data:` URLs. NULL on failure.
webimage_svg *webimage_svg_open(const void *bytes, size_t count, webimage_svg_message *message);
void webimage_svg_close(webimage_svg *document);

/// Lets go of the fonts of this thread's drawings, and so of the thread that newer versions of Pango keep for them.
void webimage_svg_release_fonts(void);

/// `has_font_size`: whether the root element says one.
webimage_svg_size webimage_svg_intrinsic_size(webimage_svg *document, bool has_font_size);

/// Draws the document scaled to `scaled_width` × `scaled_height` on rows of `width` × `height`, over the existing pixels:
/// 32-bit words of premultiplied alpha, red, green, blue.
bool webimage_svg_draw(
    webimage_svg *document, uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
    double scaled_width, double scaled_height, webimage_svg_message *message);
