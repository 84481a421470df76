#include "Entropy.h"

bool webimage_jpeg_skip_restart(bit_reader *reader, const uint8_t *begin, uint64_t number) {
    int bit;
    const uint8_t *byte = find_position(reader, begin, &bit);
    if (bit) byte += *byte == 0xFF ? 2 : 1;
    if (reader->end - byte < 2 || byte[0] != 0xFF) return false;
    while (reader->end - byte >= 2 && byte[1] == 0xFF) byte++;
    if (reader->end - byte < 2 || byte[1] != 0xD0 + (number & 7)) return false;
    *reader = reader_at(byte + 2, (size_t)(reader->end - byte - 2), 0);
    return true;
}

// Skips a block; adds its difference to the average of its component. False for a code that does not exist.
static inline bool skip_block(
    bit_reader *reader, const huffman_table *dc, const huffman_table *ac, int16_t *average) {
    require_bits(reader);
    uint32_t code = next_code(dc, reader);
    int length = code & 255, size = (int)(code >> 8);
    if (!code || size > 15) return false;
    drop_bits(reader, length);
    if (size) {
        *average = (int16_t)(*average + extend((uint32_t)(reader->bits >> (64 - size)), size));
        drop_bits(reader, size);
    }
    for (int place = 1; place < 64; place++) {
        require_bits(reader);
        code = next_code(ac, reader);
        if (!code) return false;
        int run = (int)(code >> 12);
        size = (code >> 8) & 15;
        drop_bits(reader, (int)(code & 255) + size);
        if (!size && run != 15) break;
        place += run;
    }
    return !has_run_out(reader);
}

bool webimage_jpeg_skip_group(const webimage_jpeg_map *map, bit_reader *reader, int16_t *averages) {
    for (uint32_t i = 0; i < map->block_count; i++) {
        uint32_t component = map->block_components[i];
        const huffman_table *dc = &map->dc[map->dc_tables[component]], *ac = &map->ac[map->ac_tables[component]];
        if (!skip_block(reader, dc, ac, &averages[component])) return false;
    }
    return true;
}

static void set_position(
    webimage_jpeg_checkpoint *place, const bit_reader *reader, const uint8_t *bytes, uint64_t first_byte) {
    int bit;
    const uint8_t *byte = find_position(reader, bytes, &bit);
    place->position = (first_byte + (uint64_t)(byte - bytes)) * 8 + (uint64_t)bit;
}

webimage_jpeg_index_status webimage_jpeg_index(
    const webimage_jpeg_map *map, webimage_jpeg_indexer *indexer, const uint8_t *bytes, size_t count, bool is_last,
    webimage_jpeg_checkpoint *checkpoints, size_t capacity, size_t *made) {
    const webimage_jpeg_map_layout *layout = &map->layout;
    uint64_t group_count = (uint64_t)layout->columns * layout->rows, first_byte = indexer->place.position / 8;
    bit_reader reader = reader_at(bytes, count, (int)(indexer->place.position % 8));
    // A local copy, which stays in registers.
    webimage_jpeg_checkpoint place = indexer->place;
    uint32_t column = (uint32_t)(indexer->group % layout->columns);
    uint64_t group = indexer->group;
    webimage_jpeg_index_status status = WEBIMAGE_JPEG_INDEX_MORE;
    *made = 0;
    while (true) {
        if (group == group_count) {
            if (*made == capacity) break;
            set_position(&place, &reader, bytes, first_byte);
            checkpoints[(*made)++] = place;
            status = WEBIMAGE_JPEG_INDEXED;
            break;
        }
        if (*made == capacity || (!is_last && reader.end - reader.next < WEBIMAGE_JPEG_GROUP_BYTES)) break;
        bool restarts = layout->restart_interval && group && group % layout->restart_interval == 0;
        if (restarts) {
            if (!webimage_jpeg_skip_restart(&reader, bytes, group / layout->restart_interval - 1)) {
                status = WEBIMAGE_JPEG_INDEX_FAILED;
                break;
            }
            memset(place.averages, 0, sizeof place.averages);
        }
        if (column % indexer->stride == 0) {
            set_position(&place, &reader, bytes, first_byte);
            checkpoints[(*made)++] = place;
        }
        if (!webimage_jpeg_skip_group(map, &reader, place.averages)) {
            status = WEBIMAGE_JPEG_INDEX_FAILED;
            break;
        }
        group++;
        if (++column == layout->columns) column = 0;
    }
    set_position(&place, &reader, bytes, first_byte);
    indexer->place = place;
    indexer->group = group;
    return status;
}
