#include "Memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static tmsize_t read_bytes(thandle_t handle, void *bytes, tmsize_t count) {
    webimage_tiff_memory *memory = handle;
    size_t left = memory->position < memory->count ? memory->count - memory->position : 0;
    size_t taken = count < 0 ? 0 : (size_t)count < left ? (size_t)count : left;
    if (memory->read) taken = memory->read(memory->context, memory->position, bytes, taken);
    else memcpy(bytes, memory->bytes + memory->position, taken);
    memory->position += taken;
    return (tmsize_t)taken;
}

static bool grow(webimage_tiff_memory *memory, size_t capacity) {
    if (capacity <= memory->capacity) return true;
    uint8_t *grown = realloc(memory->bytes, capacity * 2);
    if (!grown) return false;
    memory->bytes = grown;
    memory->capacity = capacity * 2;
    return true;
}

static tmsize_t write_bytes(thandle_t handle, void *bytes, tmsize_t count) {
    webimage_tiff_memory *memory = handle;
    if (!memory->is_writable || count < 0 || !grow(memory, memory->position + (size_t)count)) return -1;
    // libtiff may seek past the end.
    if (memory->position > memory->count) {
        memset(memory->bytes + memory->count, 0, memory->position - memory->count);
    }
    memcpy(memory->bytes + memory->position, bytes, (size_t)count);
    memory->position += (size_t)count;
    if (memory->position > memory->count) memory->count = memory->position;
    return count;
}

static toff_t seek(thandle_t handle, toff_t offset, int origin) {
    webimage_tiff_memory *memory = handle;
    toff_t base = origin == SEEK_CUR ? memory->position : origin == SEEK_END ? memory->count : 0;
    memory->position = (size_t)(base + offset);
    return memory->position;
}

static toff_t size(thandle_t handle) { return ((webimage_tiff_memory *)handle)->count; }

static int close_nothing(thandle_t handle) {
    (void)handle;
    return 0;
}

// Spares libtiff a copy of each compressed strip.
static int map(thandle_t handle, void **base, toff_t *count) {
    webimage_tiff_memory *memory = handle;
    if (memory->is_writable || memory->read) return 0;
    *base = memory->bytes;
    *count = memory->count;
    return 1;
}

static void unmap(thandle_t handle, void *base, toff_t count) {
    (void)handle;
    (void)base;
    (void)count;
}

#if TIFFLIB_VERSION >= 20221213

// The first error is the cause; later ones are its consequences.
static int on_error(TIFF *tiff, void *user_data, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    webimage_tiff_memory *memory = user_data;
    if (!memory->message[0]) vsnprintf(memory->message, sizeof memory->message, format, arguments);
    return 1;
}

static int on_warning(TIFF *tiff, void *user_data, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)module;
    (void)format;
    (void)arguments;
    webimage_tiff_memory *memory = user_data;
    memory->has_warned = true;
    return 1;
}

TIFF *webimage_tiff_open(webimage_tiff_memory *memory, const char *mode, size_t memory_limit) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, memory);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, memory);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)memory_limit);
    TIFF *tiff = TIFFClientOpenExt(
        "memory", mode, memory, read_bytes, write_bytes, seek, close_nothing, size, map, unmap, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

#else

// Before libtiff 4.5 handlers are global. Those that print are removed once; the messages are lost.
static void silence(void) {
    TIFFSetErrorHandler(NULL);
    TIFFSetWarningHandler(NULL);
}

TIFF *webimage_tiff_open(webimage_tiff_memory *memory, const char *mode, size_t memory_limit) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, silence);
    (void)memory_limit;
    return TIFFClientOpen("memory", mode, memory, read_bytes, write_bytes, seek, close_nothing, size, map, unmap);
}

#endif
