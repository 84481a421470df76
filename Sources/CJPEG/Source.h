#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// Where libjpeg gets a file's bytes. The first member is libjpeg's own, so that its pointer leads here.
typedef struct {
    struct jpeg_source_mgr manager;
    /// The last byte of the file is there.
    bool is_complete;
    /// libjpeg asked for bytes behind the last of a complete file.
    bool reached_end;
    /// Appended bytes that libjpeg may look at again; it says in `manager` which of them it still needs.
    uint8_t *unread;
    size_t unread_capacity;
    /// Bytes still to come that libjpeg does not want to see.
    size_t skip_count;
} webimage_jpeg_source;

/// A source of bytes that stay where they are. Where they are not complete, more can be appended.
void webimage_jpeg_source_init(webimage_jpeg_source *source, const uint8_t *bytes, size_t count, bool is_complete);

/// Adds a copy of the next bytes of a file; false when there is no memory.
bool webimage_jpeg_source_append(webimage_jpeg_source *source, const uint8_t *bytes, size_t count);

/// Frees what was appended.
void webimage_jpeg_source_destroy(webimage_jpeg_source *source);
