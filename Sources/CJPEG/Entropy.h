#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "CJPEG.h"

// The Huffman codes of a baseline scan, read symbol by symbol without making coefficients: only as far as it takes to find
// where each block begins. All bytes are hostile: a table has no entry that leads beyond itself, and a reader that has
// used up its bytes yields zeros, which are noticed at the end of the block.

enum { lookup_bits = 10, maximum_code_length = 16, maximum_blocks = 10, maximum_components = 4 };

/// How a code is read: by its first bits where it is short, by its length otherwise.
typedef struct {
    /// Length of the code in the low byte, symbol in the high one; 0 for a code that is longer or does not exist.
    uint16_t lookup[1 << lookup_bits];
    /// The largest code of each length, as the top 16 bits of the stream, plus one; 0 for none.
    uint32_t limit[maximum_code_length + 1];
    /// The number to add to a code of this length to get the place of its symbol.
    int32_t offset[maximum_code_length + 1];
    uint8_t symbols[256];
    bool exists;
} huffman_table;

struct webimage_jpeg_map {
    webimage_jpeg_map_layout layout;
    uint32_t component_count;
    uint32_t block_count;
    /// The component of each block of an MCU.
    uint8_t block_components[maximum_blocks];
    uint8_t dc_tables[maximum_components], ac_tables[maximum_components];
    huffman_table dc[maximum_components], ac[maximum_components];
    /// The beginning of the files of regions: everything before the frame header, and what lies between it and the scan.
    uint8_t *head;
    size_t head_count, frame_offset;
};

// Reading bits -------------------------------------------------------------------------------------------------------

typedef struct {
    const uint8_t *next, *end;
    /// Unread bits, at the top.
    uint64_t bits;
    int count;
    /// How many of them are not in the file.
    int missing;
} bit_reader;

static inline void refill(bit_reader *reader) {
    while (reader->count <= 56) {
        uint64_t byte = 0;
        if (reader->next < reader->end && *reader->next != 0xFF) {
            byte = *reader->next++;
        } else if (reader->end - reader->next >= 2 && reader->next[1] == 0) {
            byte = 0xFF;
            reader->next += 2;
        } else {
            reader->missing += 8;
        }
        reader->bits |= byte << (56 - reader->count);
        reader->count += 8;
    }
}

/// Makes sure of at least 32 bits.
static inline void require_bits(bit_reader *reader) {
    if (reader->count >= 32) return;
    if (reader->end - reader->next >= 8) {
        uint64_t bytes;
        memcpy(&bytes, reader->next, sizeof bytes);
        // Whether any byte is 0xFF: then its complement has a zero byte.
        uint64_t complement = ~bytes;
        bool has_marker = ((complement - 0x0101010101010101u) & ~complement & 0x8080808080808080u) != 0;
        if (!has_marker) {
            int taken = (63 - reader->count) >> 3;
            uint64_t ordered = __builtin_bswap64(bytes) >> (64 - 8 * taken) << (64 - 8 * taken);
            reader->bits |= ordered >> reader->count;
            reader->count += 8 * taken;
            reader->next += taken;
            return;
        }
    }
    refill(reader);
}

static inline void drop_bits(bit_reader *reader, int count) {
    reader->bits <<= count;
    reader->count -= count;
}

/// A reader at a bit of the first byte.
static inline bit_reader reader_at(const uint8_t *bytes, size_t count, int bit) {
    bit_reader reader = {.next = bytes, .end = bytes + count};
    refill(&reader);
    drop_bits(&reader, bit);
    return reader;
}

/// Whether bits were read that are not in the file.
static inline bool has_run_out(const bit_reader *reader) { return reader->missing > reader->count; }

/// The byte with the next bit, and the number of that bit from its top. A zero after 0xFF is always a stuffed one.
static inline const uint8_t *find_position(const bit_reader *reader, const uint8_t *begin, int *bit) {
    int unread = reader->count - reader->missing;
    if (unread < 0) unread = 0;
    const uint8_t *byte = reader->next;
    for (int count = (unread + 7) / 8; count > 0 && byte > begin; count--) {
        bool is_stuffed = byte - begin >= 2 && byte[-1] == 0 && byte[-2] == 0xFF;
        byte -= is_stuffed ? 2 : 1;
    }
    *bit = (8 - unread % 8) % 8;
    return byte;
}

/// The length of the next code in the low byte and its symbol in the high one; 0 where there is no such code.
static inline uint32_t next_code(const huffman_table *table, const bit_reader *reader) {
    uint32_t entry = table->lookup[reader->bits >> (64 - lookup_bits)];
    if (entry) return entry;
    uint32_t top = (uint32_t)(reader->bits >> 48);
    for (int length = lookup_bits + 1; length <= maximum_code_length; length++) {
        if (top >= table->limit[length]) continue;
        int32_t place = (int32_t)(top >> (16 - length)) + table->offset[length];
        return (uint32_t)table->symbols[place & 255] << 8 | (uint32_t)length;
    }
    return 0;
}

/// The difference that `size` bits after a code stand for.
static inline int extend(uint32_t bits, int size) {
    return size && bits < 1u << (size - 1) ? (int)bits - (1 << size) + 1 : (int)bits;
}

/// Skips the marker between two restart intervals; false where there is none, or another one.
bool webimage_jpeg_skip_restart(bit_reader *reader, const uint8_t *begin, uint64_t number);

/// Skips a group of blocks; false where it is damaged, or the bytes end.
bool webimage_jpeg_skip_group(const webimage_jpeg_map *map, bit_reader *reader, int16_t *averages);
