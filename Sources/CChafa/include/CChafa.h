#pragma once

#include <stddef.h>
#include <stdint.h>

// libchafa without GLib's types: a program with both modules would take those types from GTK's module.

/// How pictures are drawn.
typedef enum {
    webimage_characters,
    webimage_sixel,
    webimage_kitty,
    webimage_iterm
} webimage_graphics;

/// The abilities of a terminal.
typedef struct {
    /// The best that it has.
    webimage_graphics graphics;
    /// The colours of its characters: 0, 8, 16, 256, or 16777216 for all.
    uint32_t colors;
} webimage_terminal;

/// Asks libchafa's list of terminals.
///
/// - environment: `NAME=VALUE`, and NULL at its end.
webimage_terminal webimage_terminal_of(char **environment);

/// Premultiplied pixels, and what to draw them with.
typedef struct {
    const uint8_t *pixels;
    size_t bytes_per_row;
    int32_t width, height;
    /// The size of the drawing, in places of characters, and that of one place in pixels.
    int32_t columns, rows, cell_width, cell_height;
    webimage_graphics graphics;
    /// As in webimage_terminal; pixels have all colours, sixels at most 256.
    uint32_t colors;
} webimage_drawing;

/// The characters and control sequences that draw a picture, without a line's end after the last row; NULL when there is
/// no memory. Without colours there are no control sequences in characters.
///
/// - byte_count: Gets their number.
/// - Returns: To be freed with webimage_drawing_free.
char *webimage_draw(const webimage_drawing *drawing, char **environment, size_t *byte_count);
void webimage_drawing_free(char *text);
