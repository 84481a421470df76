#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tiffio.h>

// A file in memory as libtiff reads or writes it, and what it complained of first.
typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    size_t position;
    bool is_writable;
    char message[160];
} webimage_tiff_memory;

// Opens the file: "r" or "w" as in fopen, with libtiff's own letters behind. The handle points to `memory`, which must not
// move. NULL when libtiff cannot open it, with a message.
TIFF *webimage_tiff_open(webimage_tiff_memory *memory, const char *mode, size_t memory_limit);
