#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// libjpeg's data source. libjpeg's own struct is the first member, so that its pointer can be cast.
typedef struct {
    struct jpeg_source_mgr manager;
    /// Whether the last byte of the file has been appended.
    bool is_complete;
    /// Whether libjpeg asked for bytes beyond the last one of a complete file.
    bool reached_end;
    /// Appended bytes that libjpeg may read again; `manager` says which of them it still needs.
    uint8_t *unread;
    size_t unread_capacity;
    /// The number of bytes to come that libjpeg skips.
    size_t skip_count;
} webimage_jpeg_source;

/// A source of bytes that do not move. When they are incomplete, more can be appended.
void webimage_jpeg_source_init(webimage_jpeg_source *source, const uint8_t *bytes, size_t count, bool is_complete);

/// Appends a copy of the next bytes of a file; false when there is no memory.
bool webimage_jpeg_source_append(webimage_jpeg_source *source, const uint8_t *bytes, size_t count);

/// Frees the appended bytes.
void webimage_jpeg_source_destroy(webimage_jpeg_source *source);
