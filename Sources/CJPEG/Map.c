#include <stdlib.h>

#include "Decoder.h"
#include "Entropy.h"

// Tables -------------------------------------------------------------------------------------------------------------

// Codes of one length are numbered in order, and go on at twice the number for the next length. False where they do not
// fit.
static bool fill_table(huffman_table *table, const JHUFF_TBL *source) {
    uint32_t code = 0;
    int place = 0;
    memcpy(table->symbols, source->huffval, sizeof table->symbols);
    for (int length = 1; length <= maximum_code_length; length++, code <<= 1) {
        int count = source->bits[length];
        if (place + count > 256 || code + (uint32_t)count > 1u << length) return false;
        table->offset[length] = place - (int32_t)code;
        for (int i = 0; i < count; i++, code++, place++) {
            if (length > lookup_bits) continue;
            uint16_t entry = (uint16_t)(table->symbols[place] << 8 | length);
            uint32_t first = code << (lookup_bits - length);
            for (uint32_t j = 0; j < 1u << (lookup_bits - length); j++) table->lookup[first + j] = entry;
        }
        table->limit[length] = count ? code << (16 - length) : 0;
    }
    table->exists = true;
    return true;
}

static bool fill_tables(webimage_jpeg_map *map, const struct jpeg_decompress_struct *info) {
    for (int i = 0; i < info->comps_in_scan; i++) {
        const jpeg_component_info *component = info->cur_comp_info[i];
        int dc = component->dc_tbl_no, ac = component->ac_tbl_no;
        if (dc < 0 || dc >= NUM_HUFF_TBLS || ac < 0 || ac >= NUM_HUFF_TBLS) return false;
        if (!info->dc_huff_tbl_ptrs[dc] || !info->ac_huff_tbl_ptrs[ac]) return false;
        map->dc_tables[i] = (uint8_t)dc;
        map->ac_tables[i] = (uint8_t)ac;
        if (!map->dc[dc].exists && !fill_table(&map->dc[dc], info->dc_huff_tbl_ptrs[dc])) return false;
        if (!map->ac[ac].exists && !fill_table(&map->ac[ac], info->ac_huff_tbl_ptrs[ac])) return false;
    }
    return true;
}

// Layout -------------------------------------------------------------------------------------------------------------

static uint32_t divided_up(uint32_t length, uint32_t part) { return (length + part - 1) / part; }

static bool fill_layout(webimage_jpeg_map *map, const struct jpeg_decompress_struct *info) {
    // The blocks of a single component come in rows, whatever its factors are.
    bool is_single = info->comps_in_scan == 1;
    for (int i = 0; i < info->comps_in_scan; i++) {
        const jpeg_component_info *component = info->cur_comp_info[i];
        int count = is_single ? 1 : component->h_samp_factor * component->v_samp_factor;
        for (int j = 0; j < count; j++) {
            if (map->block_count == maximum_blocks) return false;
            map->block_components[map->block_count++] = (uint8_t)i;
        }
    }
    uint32_t width = DCTSIZE * (uint32_t)(is_single ? 1 : info->max_h_samp_factor);
    uint32_t height = DCTSIZE * (uint32_t)(is_single ? 1 : info->max_v_samp_factor);
    map->component_count = (uint32_t)info->comps_in_scan;
    map->layout = (webimage_jpeg_map_layout){
        .group_width = width,
        .group_height = height,
        .columns = divided_up(info->image_width, width),
        .rows = divided_up(info->image_height, height),
        .restart_interval = info->restart_interval,
    };
    return true;
}

// The beginning of the small files -----------------------------------------------------------------------------------

typedef struct {
    uint8_t *next;
} segment_writer;

static void put(segment_writer *writer, uint32_t byte) { *writer->next++ = (uint8_t)byte; }

static void put_two(segment_writer *writer, uint32_t number) {
    put(writer, number >> 8);
    put(writer, number & 255);
}

static void put_marker(segment_writer *writer, uint32_t marker, uint32_t byte_count) {
    put(writer, 0xFF);
    put(writer, marker);
    put_two(writer, byte_count + 2);
}

// The segments that say how components become colours.
static void put_colors(segment_writer *writer, const struct jpeg_decompress_struct *info) {
    static const uint8_t jfif[] = {'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0};
    static const uint8_t adobe[] = {'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0};
    if (info->saw_JFIF_marker) {
        put_marker(writer, 0xE0, sizeof jfif);
        for (size_t i = 0; i < sizeof jfif; i++) put(writer, jfif[i]);
    }
    if (info->saw_Adobe_marker) {
        put_marker(writer, 0xEE, sizeof adobe + 1);
        for (size_t i = 0; i < sizeof adobe; i++) put(writer, adobe[i]);
        put(writer, info->Adobe_transform);
    }
}

static void put_steps(segment_writer *writer, const struct jpeg_decompress_struct *info) {
    for (uint32_t table = 0; table < NUM_QUANT_TBLS; table++) {
        const JQUANT_TBL *steps = info->quant_tbl_ptrs[table];
        if (!steps) continue;
        static const uint8_t zigzag[DCTSIZE2] = {
            0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
            41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
            30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
        };
        put_marker(writer, 0xDB, 1 + 2 * DCTSIZE2);
        put(writer, 0x10 | table);
        for (int i = 0; i < DCTSIZE2; i++) put_two(writer, steps->quantval[zigzag[i]]);
    }
}

// Lengths: 14 codes of four bits and two of five, for every size of a difference. See Region.c.
static void put_codes(segment_writer *writer, const webimage_jpeg_map *map, const struct jpeg_decompress_struct *info) {
    put_marker(writer, 0xC4, 1 + 16 + 16);
    put(writer, 0);
    for (int length = 1; length <= 16; length++) put(writer, length == 4 ? 14 : length == 5 ? 2 : 0);
    for (uint32_t size = 0; size < 16; size++) put(writer, size);
    for (uint32_t table = 0; table < NUM_HUFF_TBLS; table++) {
        if (!map->ac[table].exists) continue;
        const JHUFF_TBL *codes = info->ac_huff_tbl_ptrs[table];
        uint32_t count = 0;
        for (int length = 1; length <= 16; length++) count += codes->bits[length];
        put_marker(writer, 0xC4, 1 + 16 + count);
        put(writer, 0x10 | table);
        for (int length = 1; length <= 16; length++) put(writer, codes->bits[length]);
        for (uint32_t i = 0; i < count; i++) put(writer, codes->huffval[i]);
    }
}

static void put_frame(segment_writer *writer, const struct jpeg_decompress_struct *info) {
    bool is_single = info->comps_in_scan == 1;
    uint32_t count = (uint32_t)info->comps_in_scan;
    put_marker(writer, 0xC1, 6 + 3 * count);
    put(writer, 8);
    put_two(writer, 0);
    put_two(writer, 0);
    put(writer, count);
    // In the order of the frame, which decides about colours.
    for (uint32_t i = 0; i < count; i++) {
        const jpeg_component_info *component = &info->comp_info[i];
        put(writer, (uint32_t)component->component_id);
        put(writer, is_single ? 0x11 : (uint32_t)(component->h_samp_factor << 4 | component->v_samp_factor));
        put(writer, (uint32_t)component->quant_tbl_no);
    }
}

static void put_scan(segment_writer *writer, const struct jpeg_decompress_struct *info) {
    uint32_t count = (uint32_t)info->comps_in_scan;
    put_marker(writer, 0xDD, 2);
    put_two(writer, 0);
    put_marker(writer, 0xDA, 4 + 2 * count);
    put(writer, count);
    for (uint32_t i = 0; i < count; i++) {
        put(writer, (uint32_t)info->cur_comp_info[i]->component_id);
        put(writer, (uint32_t)info->cur_comp_info[i]->ac_tbl_no);
    }
    put(writer, 0);
    put(writer, DCTSIZE2 - 1);
    put(writer, 0);
}

// Segments in their largest sizes.
enum { head_capacity = 2 + 18 + 16 + 4 * (5 + 128) + 37 + 4 * (21 + 256) + 22 + 6 + 16 };

static bool fill_head(webimage_jpeg_map *map, const struct jpeg_decompress_struct *info) {
    map->head = malloc(head_capacity);
    if (!map->head) return false;
    segment_writer writer = {map->head};
    put(&writer, 0xFF);
    put(&writer, 0xD8);
    put_colors(&writer, info);
    put_steps(&writer, info);
    put_codes(&writer, map, info);
    map->frame_offset = (size_t)(writer.next - map->head);
    put_frame(&writer, info);
    put_scan(&writer, info);
    map->head_count = (size_t)(writer.next - map->head);
    return true;
}

// The map ------------------------------------------------------------------------------------------------------------

static bool is_supported(const struct jpeg_decompress_struct *info) {
    return !info->progressive_mode && !info->arith_code && info->data_precision == 8
        && info->comps_in_scan == info->num_components && info->comps_in_scan <= maximum_components
        && info->Ss == 0 && info->Se >= DCTSIZE2 - 1 && info->Ah == 0 && info->Al == 0;
}

webimage_jpeg_map *webimage_jpeg_map_create(const struct webimage_jpeg_decoder *decoder, uint64_t byte_count) {
    const struct jpeg_decompress_struct *info = &decoder->info;
    if (!is_supported(info) || decoder->source.skip_count) return NULL;
    webimage_jpeg_map *map = calloc(1, sizeof *map);
    if (!map) return NULL;
    if (!fill_tables(map, info) || !fill_layout(map, info) || !fill_head(map, info)) {
        webimage_jpeg_map_destroy(map);
        return NULL;
    }
    map->layout.offset = byte_count - decoder->source.manager.bytes_in_buffer;
    return map;
}

void webimage_jpeg_map_destroy(webimage_jpeg_map *map) {
    if (!map) return;
    free(map->head);
    free(map);
}

webimage_jpeg_map_layout webimage_jpeg_map_describe(const webimage_jpeg_map *map) { return map->layout; }
