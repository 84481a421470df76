#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Regions of a baseline file. One reading of its Huffman codes finds where blocks begin in the stream of bits, and what the
// average colours there refer to. A region is then made into a small JPEG file of its own, whose blocks have the same
// coefficients: each row of blocks is one restart interval.

/// The tables and the layout of a file's only scan. Does not change; any thread.
typedef struct webimage_jpeg_map webimage_jpeg_map;

typedef struct {
    /// A group of blocks (MCU) in pixels, and the number of groups.
    uint32_t group_width, group_height, columns, rows;
    /// Groups between two restart markers; 0 for none.
    uint32_t restart_interval;
    /// The place in the file at which the scan's data begin.
    uint64_t offset;
} webimage_jpeg_map_layout;

/// A place in the scan, between two groups.
typedef struct {
    /// The byte in the file × 8, plus the number of its bits that belong to the group before.
    uint64_t position;
    /// The average of the last block of each component.
    int16_t averages[4];
} webimage_jpeg_checkpoint;

typedef struct webimage_jpeg_decoder webimage_jpeg_decoder;

/// The map of a file whose header was read; NULL where the file has several scans or another kind of coding, or there is
/// no memory.
///
/// - byte_count: The bytes that were appended to the decoder.
webimage_jpeg_map *webimage_jpeg_map_create(const webimage_jpeg_decoder *decoder, uint64_t byte_count);
void webimage_jpeg_map_destroy(webimage_jpeg_map *map);
webimage_jpeg_map_layout webimage_jpeg_map_describe(const webimage_jpeg_map *map);

// The index ----------------------------------------------------------------------------------------------------------

/// A reading of the whole scan. Begins as zeros, with `position` at the beginning of the scan.
typedef struct {
    /// A checkpoint each this many groups of a row.
    uint32_t stride;
    /// The next group.
    uint64_t group;
    webimage_jpeg_checkpoint place;
} webimage_jpeg_indexer;

typedef enum {
    /// The scan is read; the last checkpoint is its end.
    WEBIMAGE_JPEG_INDEXED,
    /// Go on with the bytes from the indexer's place on.
    WEBIMAGE_JPEG_INDEX_MORE,
    /// The bytes are no such scan.
    WEBIMAGE_JPEG_INDEX_FAILED,
} webimage_jpeg_index_status;

/// The bytes that a group may take, and a marker after it: a reading goes on as long as it has more, or the file ends.
#define WEBIMAGE_JPEG_GROUP_BYTES 8192

/// Reads groups up to the end of the bytes, or of the room for checkpoints.
///
/// - bytes: Begin with the byte of the indexer's place.
/// - is_last: Whether the file ends with them.
webimage_jpeg_index_status webimage_jpeg_index(
    const webimage_jpeg_map *map, webimage_jpeg_indexer *indexer, const uint8_t *bytes, size_t count, bool is_last,
    webimage_jpeg_checkpoint *checkpoints, size_t capacity, size_t *made);

// Regions ------------------------------------------------------------------------------------------------------------

/// A small file in the making.
typedef struct webimage_jpeg_region webimage_jpeg_region;

/// A file of `width` × `height` pixels, with `columns` groups in each row. NULL when there is no memory.
webimage_jpeg_region *webimage_jpeg_region_create(
    const webimage_jpeg_map *map, uint32_t width, uint32_t height, uint32_t columns);
void webimage_jpeg_region_destroy(webimage_jpeg_region *region);

/// Adds the next row of groups.
///
/// - bytes: From the byte of the first checkpoint on, up to the end of the last group or beyond.
/// - checkpoints: Of the row, from the one to begin at; the groups that are read must contradict none of them.
/// - group: The number of the first checkpoint's group in the scan.
/// - skip: Groups between the first checkpoint and the region.
/// - returns: False where the bytes are not what the checkpoints say, or there is no memory.
bool webimage_jpeg_region_add_row(
    webimage_jpeg_region *region, const uint8_t *bytes, size_t count, const webimage_jpeg_checkpoint *checkpoints,
    size_t checkpoint_count, uint32_t stride, uint64_t group, uint32_t skip);

/// Ends the file. The bytes are valid until the region is destroyed.
const uint8_t *webimage_jpeg_region_finish(webimage_jpeg_region *region, size_t *count);
