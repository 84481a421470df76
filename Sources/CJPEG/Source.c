#include "Source.h"

#include <stdlib.h>
#include <string.h>

static void do_nothing(j_decompress_ptr info) { (void)info; }

// Returning FALSE suspends libjpeg: it rolls back to a point where it can resume with more bytes. At the end of a
// complete file this function adds an end marker, so that files with all rows that lack only the marker still decode.
static boolean fill_input_buffer(j_decompress_ptr info) {
    static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
    webimage_jpeg_source *source = (webimage_jpeg_source *)info->src;
    if (!source->is_complete) return FALSE;
    source->reached_end = true;
    source->manager.next_input_byte = end_marker;
    source->manager.bytes_in_buffer = sizeof end_marker;
    return TRUE;
}

// libjpeg skips only once, so the part that has not arrived yet is remembered here.
static void skip_input_data(j_decompress_ptr info, long count) {
    webimage_jpeg_source *source = (webimage_jpeg_source *)info->src;
    if (count <= 0) return;
    size_t available = source->manager.bytes_in_buffer;
    size_t skipped = (size_t)count < available ? (size_t)count : available;
    source->manager.next_input_byte += skipped;
    source->manager.bytes_in_buffer -= skipped;
    source->skip_count += (size_t)count - skipped;
}

void webimage_jpeg_source_init(webimage_jpeg_source *source, const uint8_t *bytes, size_t count, bool is_complete) {
    *source = (webimage_jpeg_source){
        .manager = {
            .next_input_byte = bytes,
            .bytes_in_buffer = count,
            .init_source = do_nothing,
            .fill_input_buffer = fill_input_buffer,
            .skip_input_data = skip_input_data,
            .resync_to_restart = jpeg_resync_to_restart,
            .term_source = do_nothing,
        },
        .is_complete = is_complete,
    };
}

// Makes room for `count` bytes after the unread ones, which move to the beginning.
static bool make_room(webimage_jpeg_source *source, size_t count) {
    size_t unread = source->manager.bytes_in_buffer;
    if (unread + count <= source->unread_capacity) {
        memmove(source->unread, source->manager.next_input_byte, unread);
    } else {
        size_t capacity = 2 * (unread + count);
        uint8_t *grown = malloc(capacity);
        if (!grown) return false;
        if (unread) memcpy(grown, source->manager.next_input_byte, unread);
        free(source->unread);
        source->unread = grown;
        source->unread_capacity = capacity;
    }
    source->manager.next_input_byte = source->unread;
    return true;
}

bool webimage_jpeg_source_append(webimage_jpeg_source *source, const uint8_t *bytes, size_t count) {
    size_t skipped = count < source->skip_count ? count : source->skip_count;
    source->skip_count -= skipped;
    count -= skipped;
    if (!count) return true;
    if (!make_room(source, count)) return false;
    memcpy(source->unread + source->manager.bytes_in_buffer, bytes + skipped, count);
    source->manager.bytes_in_buffer += count;
    return true;
}

void webimage_jpeg_source_destroy(webimage_jpeg_source *source) {
    free(source->unread);
    source->unread = NULL;
}
