#include <stdlib.h>

#include "Entropy.h"

struct webimage_jpeg_region {
    const webimage_jpeg_map *map;
    uint32_t columns;
    uint8_t *bytes;
    size_t count, capacity;
    /// The bits of an unfinished byte, at the bottom.
    uint64_t bits;
    int bit_count;
    uint32_t row_count;
};

// Writing bits -------------------------------------------------------------------------------------------------------

// Makes room for what a group may take, with its stuffed bytes.
static bool make_room(webimage_jpeg_region *region, size_t count) {
    if (region->capacity - region->count >= count) return true;
    size_t capacity = 2 * region->capacity + count;
    uint8_t *grown = realloc(region->bytes, capacity);
    if (!grown) return false;
    region->bytes = grown;
    region->capacity = capacity;
    return true;
}

static inline void flush_bytes(webimage_jpeg_region *region) {
    while (region->bit_count >= 8) {
        uint8_t byte = (uint8_t)(region->bits >> (region->bit_count - 8));
        region->bytes[region->count++] = byte;
        if (byte == 0xFF) region->bytes[region->count++] = 0;
        region->bit_count -= 8;
    }
}

// At most 32 bits, of which no others are set.
static inline void put_bits(webimage_jpeg_region *region, uint32_t bits, int count) {
    region->bits = region->bits << count | bits;
    region->bit_count += count;
    if (region->bit_count >= 32) flush_bytes(region);
}

static void align(webimage_jpeg_region *region) {
    int padding = (8 - region->bit_count % 8) % 8;
    put_bits(region, (1u << padding) - 1, padding);
    flush_bytes(region);
}

// A difference by the codes that Map.c has written: 14 of four bits, two of five.
static inline void put_difference(webimage_jpeg_region *region, int difference) {
    int magnitude = difference < 0 ? -difference : difference;
    int size = magnitude ? 32 - __builtin_clz((uint32_t)magnitude) : 0;
    if (size < 14) put_bits(region, (uint32_t)size, 4);
    else put_bits(region, (uint32_t)(14 + size), 5);
    uint32_t bits = (uint32_t)(difference < 0 ? difference - 1 : difference);
    if (size) put_bits(region, bits & ((1u << size) - 1), size);
}

// Blocks -------------------------------------------------------------------------------------------------------------

// Copies a block: the difference from the average before it in the small file, and all other codes as they are.
static inline bool copy_block(
    webimage_jpeg_region *region, bit_reader *reader, const huffman_table *dc, const huffman_table *ac, int16_t *average,
    int16_t *written) {
    require_bits(reader);
    uint32_t code = next_code(dc, reader);
    int length = code & 255, size = (int)(code >> 8);
    if (!code || size > 15) return false;
    drop_bits(reader, length);
    if (size) {
        *average = (int16_t)(*average + extend((uint32_t)(reader->bits >> (64 - size)), size));
        drop_bits(reader, size);
    }
    int difference = *average - *written;
    // More than 15 bits occur in hostile files only.
    if (difference > 32767) difference = 32767;
    if (difference < -32767) difference = -32767;
    put_difference(region, difference);
    *written = (int16_t)(*written + difference);
    for (int place = 1; place < 64; place++) {
        require_bits(reader);
        code = next_code(ac, reader);
        if (!code) return false;
        int run = (int)(code >> 12);
        size = (code >> 8) & 15;
        length = (int)(code & 255) + size;
        put_bits(region, (uint32_t)(reader->bits >> (64 - length)), length);
        drop_bits(reader, length);
        if (!size && run != 15) break;
        place += run;
    }
    return !has_run_out(reader);
}

static bool copy_group(webimage_jpeg_region *region, bit_reader *reader, int16_t *averages, int16_t *written) {
    const webimage_jpeg_map *map = region->map;
    if (!make_room(region, WEBIMAGE_JPEG_GROUP_BYTES)) return false;
    for (uint32_t i = 0; i < map->block_count; i++) {
        uint32_t component = map->block_components[i];
        const huffman_table *dc = &map->dc[map->dc_tables[component]], *ac = &map->ac[map->ac_tables[component]];
        if (!copy_block(region, reader, dc, ac, &averages[component], &written[component])) return false;
    }
    return true;
}

// Rows ---------------------------------------------------------------------------------------------------------------

// Whether a place is that of a checkpoint.
static bool agrees(
    const bit_reader *reader, const uint8_t *bytes, uint64_t first_byte, const int16_t *averages,
    const webimage_jpeg_checkpoint *checkpoint) {
    int bit;
    const uint8_t *byte = find_position(reader, bytes, &bit);
    uint64_t position = (first_byte + (uint64_t)(byte - bytes)) * 8 + (uint64_t)bit;
    return position == checkpoint->position
        && memcmp(averages, checkpoint->averages, sizeof checkpoint->averages) == 0;
}

static void begin_row(webimage_jpeg_region *region) {
    if (region->row_count) {
        region->bytes[region->count++] = 0xFF;
        region->bytes[region->count++] = (uint8_t)(0xD0 + (region->row_count - 1) % 8);
    }
    region->row_count++;
}

bool webimage_jpeg_region_add_row(
    webimage_jpeg_region *region, const uint8_t *bytes, size_t count, const webimage_jpeg_checkpoint *checkpoints,
    size_t checkpoint_count, uint32_t stride, uint64_t group, uint32_t skip) {
    uint32_t interval = region->map->layout.restart_interval;
    uint64_t first_byte = checkpoints[0].position / 8;
    bit_reader reader = reader_at(bytes, count, (int)(checkpoints[0].position % 8));
    int16_t averages[maximum_components], written[maximum_components] = {0};
    memcpy(averages, checkpoints[0].averages, sizeof averages);
    if (!make_room(region, 2)) return false;
    begin_row(region);
    for (uint32_t i = 0; i < skip + region->columns; i++, group++) {
        if (i && interval && group % interval == 0) {
            if (!webimage_jpeg_skip_restart(&reader, bytes, group / interval - 1)) return false;
            memset(averages, 0, sizeof averages);
        }
        bool has_checkpoint = i && i % stride == 0 && i / stride < checkpoint_count;
        if (has_checkpoint && !agrees(&reader, bytes, first_byte, averages, &checkpoints[i / stride])) return false;
        bool is_done = i < skip ? webimage_jpeg_skip_group(region->map, &reader, averages)
                                : copy_group(region, &reader, averages, written);
        if (!is_done) return false;
    }
    if (!make_room(region, 16)) return false;
    align(region);
    return true;
}

// The file -----------------------------------------------------------------------------------------------------------

webimage_jpeg_region *webimage_jpeg_region_create(
    const webimage_jpeg_map *map, uint32_t width, uint32_t height, uint32_t columns) {
    webimage_jpeg_region *region = calloc(1, sizeof *region);
    if (!region) return NULL;
    region->map = map;
    region->columns = columns;
    if (!make_room(region, map->head_count + (1 << 16))) {
        webimage_jpeg_region_destroy(region);
        return NULL;
    }
    memcpy(region->bytes, map->head, map->head_count);
    region->count = map->head_count;
    // The size is behind the marker, the length and the precision; the interval before the scan's header.
    uint8_t *size = region->bytes + map->frame_offset + 5;
    size[0] = (uint8_t)(height >> 8);
    size[1] = (uint8_t)height;
    size[2] = (uint8_t)(width >> 8);
    size[3] = (uint8_t)width;
    uint8_t *interval = region->bytes + map->frame_offset + 4 + 6 + 3 * map->component_count + 4;
    interval[0] = (uint8_t)(columns >> 8);
    interval[1] = (uint8_t)columns;
    return region;
}

void webimage_jpeg_region_destroy(webimage_jpeg_region *region) {
    if (!region) return;
    free(region->bytes);
    free(region);
}

const uint8_t *webimage_jpeg_region_finish(webimage_jpeg_region *region, size_t *count) {
    if (!make_room(region, 2)) return NULL;
    region->bytes[region->count++] = 0xFF;
    region->bytes[region->count++] = 0xD9;
    *count = region->count;
    return region->bytes;
}
