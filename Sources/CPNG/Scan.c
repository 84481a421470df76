#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "CPNG.h"

enum { chunk_byte_count = 1 << 16 };

struct webimage_png_scan {
    z_stream stream;
    size_t row_byte_count, pixel_byte_count;
    /// The row before, and the current one with its filter's number.
    uint8_t *prior, *row;
    size_t filled;
    /// Inflated bytes that are not in rows yet.
    uint8_t *chunk;
    size_t chunk_start, chunk_end;
    uint8_t last_byte;
    bool is_at_block, is_at_end;
};

webimage_png_scan *webimage_png_scan_create(size_t row_byte_count, size_t pixel_byte_count) {
    webimage_png_scan *scan = calloc(1, sizeof *scan);
    if (!scan) return NULL;
    scan->row_byte_count = row_byte_count;
    scan->pixel_byte_count = pixel_byte_count;
    scan->prior = calloc(1, row_byte_count);
    scan->row = calloc(1, row_byte_count + 1);
    scan->chunk = malloc(chunk_byte_count);
    if (!scan->prior || !scan->row || !scan->chunk || inflateInit(&scan->stream) != Z_OK) {
        free(scan->prior);
        free(scan->row);
        free(scan->chunk);
        free(scan);
        return NULL;
    }
    return scan;
}

void webimage_png_scan_destroy(webimage_png_scan *scan) {
    if (!scan) return;
    inflateEnd(&scan->stream);
    free(scan->prior);
    free(scan->row);
    free(scan->chunk);
    free(scan);
}

bool webimage_png_scan_resume(
    webimage_png_scan *scan, webimage_png_scan_place place, const uint8_t *window, const uint8_t *prior,
    const uint8_t *partial) {
    if (place.bits > 7 || place.window_count > WEBIMAGE_PNG_WINDOW_BYTES || place.partial_count > scan->row_byte_count) {
        return false;
    }
    // Negative: without a header and a checksum.
    if (inflateReset2(&scan->stream, -15) != Z_OK) return false;
    if (place.bits && inflatePrime(&scan->stream, (int)place.bits, (int)place.value) != Z_OK) return false;
    if (place.window_count && inflateSetDictionary(&scan->stream, window, place.window_count) != Z_OK) return false;
    memcpy(scan->prior, prior, scan->row_byte_count);
    memcpy(scan->row, partial, place.partial_count);
    scan->filled = place.partial_count;
    return true;
}

// Filters ------------------------------------------------------------------------------------------------------------

static uint8_t predict(int a, int b, int c) {
    int to_a = abs(b - c), to_b = abs(a - c), to_c = abs(a + b - 2 * c);
    return (uint8_t)(to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c);
}

// Reverses the filter of the current row; false for one that does not exist.
static bool undo_filter(webimage_png_scan *scan) {
    uint8_t *row = scan->row + 1;
    const uint8_t *prior = scan->prior;
    size_t count = scan->row_byte_count, step = scan->pixel_byte_count, first = step < count ? step : count;
    switch (scan->row[0]) {
    case 0: break;
    case 1:
        for (size_t i = step; i < count; i++) row[i] = (uint8_t)(row[i] + row[i - step]);
        break;
    case 2:
        for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(row[i] + prior[i]);
        break;
    case 3:
        for (size_t i = 0; i < first; i++) row[i] = (uint8_t)(row[i] + prior[i] / 2);
        for (size_t i = step; i < count; i++) row[i] = (uint8_t)(row[i] + (row[i - step] + prior[i]) / 2);
        break;
    case 4:
        for (size_t i = 0; i < first; i++) row[i] = (uint8_t)(row[i] + prior[i]);
        for (size_t i = step; i < count; i++) {
            row[i] = (uint8_t)(row[i] + predict(row[i - step], prior[i], prior[i - step]));
        }
        break;
    default: return false;
    }
    scan->row[0] = 0;
    return true;
}

// Reading ------------------------------------------------------------------------------------------------------------

// Moves inflated bytes into rows, as far as there is room; false for an unknown filter.
static bool move_to_rows(webimage_png_scan *scan, uint8_t *rows, size_t capacity, size_t *made) {
    size_t length = scan->row_byte_count + 1;
    while (scan->chunk_start < scan->chunk_end && *made < capacity) {
        size_t wanted = length - scan->filled, available = scan->chunk_end - scan->chunk_start;
        size_t count = wanted < available ? wanted : available;
        memcpy(scan->row + scan->filled, scan->chunk + scan->chunk_start, count);
        scan->filled += count;
        scan->chunk_start += count;
        if (scan->filled < length) break;
        if (!undo_filter(scan)) return false;
        memcpy(rows + *made * length, scan->row, length);
        memcpy(scan->prior, scan->row + 1, scan->row_byte_count);
        scan->filled = 0;
        ++*made;
    }
    return true;
}

// Inflates the next bytes.
static bool inflate_chunk(webimage_png_scan *scan, const uint8_t **next, const uint8_t *end) {
    scan->stream.next_in = (uint8_t *)(uintptr_t)*next;
    scan->stream.avail_in = (uInt)(end - *next);
    scan->stream.next_out = scan->chunk;
    scan->stream.avail_out = chunk_byte_count;
    int result = inflate(&scan->stream, Z_BLOCK);
    if (scan->stream.next_in > *next) scan->last_byte = scan->stream.next_in[-1];
    *next = scan->stream.next_in;
    scan->chunk_start = 0;
    scan->chunk_end = chunk_byte_count - scan->stream.avail_out;
    scan->is_at_end = result == Z_STREAM_END;
    // The end of a block that is not the last one.
    scan->is_at_block = (scan->stream.data_type & 128) && !(scan->stream.data_type & 64);
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
}

webimage_png_scan_status webimage_png_scan_read(
    webimage_png_scan *scan, const uint8_t *bytes, size_t count, size_t *used, uint8_t *rows, size_t capacity,
    size_t *made, bool stops_at_blocks) {
    const uint8_t *next = bytes, *end = bytes + count;
    webimage_png_scan_status status;
    *made = 0;
    while (true) {
        if (!move_to_rows(scan, rows, capacity, made)) {
            status = WEBIMAGE_PNG_SCAN_FAILED;
            break;
        }
        if (scan->chunk_start < scan->chunk_end || *made == capacity) {
            status = WEBIMAGE_PNG_SCAN_ROOM;
            break;
        }
        if (scan->is_at_block && stops_at_blocks) {
            scan->is_at_block = false;
            status = WEBIMAGE_PNG_SCAN_BLOCK;
            break;
        }
        if (scan->is_at_end) {
            status = WEBIMAGE_PNG_SCAN_END;
            break;
        }
        const uint8_t *before = next;
        if (!inflate_chunk(scan, &next, end)) {
            status = WEBIMAGE_PNG_SCAN_FAILED;
            break;
        }
        bool has_moved = next > before || scan->chunk_end > 0 || scan->is_at_end || scan->is_at_block;
        if (!has_moved) {
            status = WEBIMAGE_PNG_SCAN_MORE;
            break;
        }
    }
    *used = (size_t)(next - bytes);
    return status;
}

webimage_png_scan_place webimage_png_scan_get_place(
    webimage_png_scan *scan, uint8_t *window, uint8_t *prior, uint8_t *partial) {
    uint32_t bits = (uint32_t)scan->stream.data_type & 7;
    uInt window_count = 0;
    inflateGetDictionary(&scan->stream, window, &window_count);
    memcpy(prior, scan->prior, scan->row_byte_count);
    memcpy(partial, scan->row, scan->filled);
    return (webimage_png_scan_place){
        .bits = bits,
        .value = bits ? (uint32_t)scan->last_byte >> (8 - bits) : 0,
        .window_count = window_count,
        .partial_count = (uint32_t)scan->filled,
    };
}
