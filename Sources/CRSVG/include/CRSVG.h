#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// librsvg without GLib's and cairo's types: a Swift module that names those takes them from GTK's module for every program
// that has both.

typedef struct webimage_svg webimage_svg;

/// Why something failed, in librsvg's words.
typedef struct {
    char text[256];
} webimage_svg_message;

/// What a document says of its size: pixels of 1/96 inch, NaN for what it does not say or says as a part of a viewport.
typedef struct {
    double width, height, view_box_width, view_box_height;
} webimage_svg_size;

/// Parses XML. It has no address, so that nothing it refers to is loaded but `data:` URLs. NULL for a failure.
webimage_svg *webimage_svg_open(const void *bytes, size_t count, webimage_svg_message *message);
void webimage_svg_close(webimage_svg *document);

webimage_svg_size webimage_svg_intrinsic_size(webimage_svg *document);

/// Draws the document so that it fills the rows, over what is there: 32-bit words of premultiplied alpha, red, green, blue.
bool webimage_svg_draw(
    webimage_svg *document, uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
    webimage_svg_message *message);
