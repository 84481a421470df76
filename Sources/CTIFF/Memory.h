#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tiffio.h>

#include "CTIFF.h"

// A file in memory for libtiff to read or write, and libtiff's first error.
typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    size_t position;
    bool is_writable;
    // Reads a file that is not in memory; NULL for one that is.
    webimage_tiff_read read;
    void *context;
    char message[160];
    /// Whether libtiff has warned since this was last set to false; before 4.5 it is not known.
    bool has_warned;
} webimage_tiff_memory;

// Opens the file: "r" or "w" as in fopen, followed by libtiff's own flags. The handle points to `memory`, which must
// not move. NULL, with a message, when libtiff cannot open it.
TIFF *webimage_tiff_open(webimage_tiff_memory *memory, const char *mode, size_t memory_limit);
