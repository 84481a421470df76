#include "CTIFF.h"
#include "Memory.h"

#include <stdlib.h>
#include <string.h>

struct webimage_tiff_reader {
    webimage_tiff_memory memory;
    TIFF *tiff;
};

webimage_tiff_reader *webimage_tiff_reader_create(
    const uint8_t *bytes, size_t count, size_t memory_limit, uint64_t place, bool *is_open) {
    webimage_tiff_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    // Never written to: is_writable is false.
    reader->memory.bytes = (uint8_t *)bytes;
    reader->memory.count = count;
    // O: strip tables are read on demand, however large the directory claims they are.
    reader->tiff = webimage_tiff_open(&reader->memory, "rO", memory_limit);
    *is_open = reader->tiff && (place == 0 || TIFFSetSubDirectory(reader->tiff, place));
    return reader;
}

webimage_tiff_reader *webimage_tiff_reader_open(
    webimage_tiff_read read, void *context, size_t count, size_t memory_limit, bool *is_open) {
    webimage_tiff_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->memory.read = read;
    reader->memory.context = context;
    reader->memory.count = count;
    reader->tiff = webimage_tiff_open(&reader->memory, "rOm", memory_limit);
    *is_open = reader->tiff != NULL;
    return reader;
}

void webimage_tiff_reader_destroy(webimage_tiff_reader *reader) {
    if (!reader) return;
    if (reader->tiff) TIFFClose(reader->tiff);
    free(reader);
}

const char *webimage_tiff_reader_message(const webimage_tiff_reader *reader) { return reader->memory.message; }

// The number of colour samples; 0 for formats without a fixed number.
static uint16_t color_count(uint16_t photometric) {
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_PALETTE:
    case PHOTOMETRIC_MASK: return 1;
    case PHOTOMETRIC_SEPARATED: return 4;
    default: return 3;
    }
}

static uint16_t alpha(TIFF *tiff, const webimage_tiff_header *header) {
    uint16_t colors = color_count(header->photometric);
    if (header->samples_per_pixel <= colors || header->photometric == PHOTOMETRIC_SEPARATED) {
        return WEBIMAGE_TIFF_NO_ALPHA;
    }
    uint16_t count = 0, *kinds = NULL;
    // Writers that do not describe the fourth sample mean alpha.
    if (!TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) || count == 0) {
        return header->samples_per_pixel == colors + 1 ? WEBIMAGE_TIFF_UNASSOCIATED_ALPHA : WEBIMAGE_TIFF_NO_ALPHA;
    }
    switch (kinds[0]) {
    case EXTRASAMPLE_ASSOCALPHA: return WEBIMAGE_TIFF_ASSOCIATED_ALPHA;
    case EXTRASAMPLE_UNASSALPHA: return WEBIMAGE_TIFF_UNASSOCIATED_ALPHA;
    default: return WEBIMAGE_TIFF_NO_ALPHA;
    }
}

// Lets the JPEG library convert YCbCr, which it does well; possible for interleaved samples only.
static void convert_jpeg(TIFF *tiff, webimage_tiff_header *header) {
    header->is_old_jpeg = header->compression == COMPRESSION_OJPEG;
    if (header->compression != COMPRESSION_JPEG || header->photometric != PHOTOMETRIC_YCBCR || header->is_planar) return;
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    header->photometric = PHOTOMETRIC_RGB;
}

static void read_blocks(TIFF *tiff, webimage_tiff_header *header) {
    header->is_tiled = TIFFIsTiled(tiff);
    header->block_width = header->width;
    header->block_height = header->height;
    if (header->is_tiled) {
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &header->block_width);
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &header->block_height);
        header->block_byte_count = TIFFTileSize64(tiff);
        header->block_row_byte_count = TIFFTileRowSize64(tiff);
    } else {
        uint32_t rows = 0;
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        if (rows > 0 && rows < header->height) header->block_height = rows;
        header->block_byte_count = TIFFVStripSize64(tiff, header->block_height);
        header->block_row_byte_count = TIFFScanlineSize64(tiff);
    }
    header->row_byte_count = TIFFScanlineSize64(tiff);
}

bool webimage_tiff_reader_header(webimage_tiff_reader *reader, webimage_tiff_header *header) {
    TIFF *tiff = reader->tiff;
    memset(header, 0, sizeof *header);
    uint16_t planar = PLANARCONFIG_CONTIG;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &header->width)
        || !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &header->height)) {
        return false;
    }
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &header->bits_per_sample);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &header->samples_per_pixel);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &header->sample_format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &header->orientation);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    header->is_planar = planar == PLANARCONFIG_SEPARATE && header->samples_per_pixel > 1;
    // Without a photometric interpretation, the number of samples suggests it.
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &header->photometric)) {
        header->photometric = header->samples_per_pixel >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    }
    if (header->photometric == PHOTOMETRIC_PALETTE
        && !TIFFGetField(tiff, TIFFTAG_COLORMAP, &header->red, &header->green, &header->blue)) {
        return false;
    }
    header->compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &header->compression);
    header->is_compression_known = TIFFIsCODECConfigured(header->compression);
    convert_jpeg(tiff, header);
    header->alpha = alpha(tiff, header);
    read_blocks(tiff, header);
    void *profile = NULL;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &header->profile_byte_count, &profile)) header->profile = profile;
    return true;
}

// Rows of Group 3 begin with an EOL, but for those of some writers; libtiff 4.5 looks for it up to the end, and has no row
// then. The rows between are those of TIFF's own modified Huffman compression, which need not begin with a whole byte here.
static bool leave_out_ends(TIFF *tiff, bool leaves_out) {
    return TIFFSetField(tiff, TIFFTAG_COMPRESSION, leaves_out ? COMPRESSION_CCITTRLE : COMPRESSION_CCITTFAX3)
        && (!leaves_out || TIFFSetField(tiff, TIFFTAG_FAXMODE, FAXMODE_NORTC | FAXMODE_NOEOL));
}

// Two-dimensional rows need it: it says how the next one is coded.
static bool may_lack_ends(TIFF *tiff) {
    uint16_t compression = 0;
    uint32_t options = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    if (compression != COMPRESSION_CCITTFAX3) return false;
    return !TIFFGetField(tiff, TIFFTAG_GROUP3OPTIONS, &options) || !(options & GROUP3OPT_2DENCODING);
}

// Whether the codes were those of whole rows: libtiff only tells of others.
static bool is_sound(const webimage_tiff_reader *reader) {
    return !reader->memory.message[0] && !reader->memory.has_warned;
}

bool webimage_tiff_reader_row(webimage_tiff_reader *reader, uint32_t y, void *row) {
    reader->memory.message[0] = 0;
    if (TIFFReadScanline(reader->tiff, row, y, 0) == 1) return true;
    if (y > 0 || !may_lack_ends(reader->tiff) || !leave_out_ends(reader->tiff, true)) return false;
    reader->memory.has_warned = false;
    return TIFFReadScanline(reader->tiff, row, y, 0) == 1 && is_sound(reader);
}

static bool read_block(
    TIFF *tiff, uint32_t x, uint32_t y, uint16_t plane, void *block, uint64_t byte_count) {
    if (TIFFIsTiled(tiff)) {
        return TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, plane), block, (tmsize_t)byte_count) >= 0;
    }
    return TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), block, (tmsize_t)byte_count) >= 0;
}

bool webimage_tiff_reader_block(
    webimage_tiff_reader *reader, uint32_t x, uint32_t y, uint16_t plane, void *block, uint64_t byte_count) {
    reader->memory.message[0] = 0;
    if (read_block(reader->tiff, x, y, plane, block, byte_count)) return true;
    if (!may_lack_ends(reader->tiff) || !leave_out_ends(reader->tiff, true)) return false;
    reader->memory.has_warned = false;
    if (read_block(reader->tiff, x, y, plane, block, byte_count) && is_sound(reader)) return true;
    leave_out_ends(reader->tiff, false);
    return false;
}

bool webimage_tiff_reader_can_convert(webimage_tiff_reader *reader) {
    char message[1024] = "";
    if (TIFFRGBAImageOK(reader->tiff, message)) return true;
    strncpy(reader->memory.message, message, sizeof reader->memory.message - 1);
    return false;
}

bool webimage_tiff_reader_converted_block(webimage_tiff_reader *reader, uint32_t x, uint32_t y, uint32_t *pixels) {
    reader->memory.message[0] = 0;
    if (TIFFIsTiled(reader->tiff)) return TIFFReadRGBATileExt(reader->tiff, x, y, pixels, 1);
    return TIFFReadRGBAStripExt(reader->tiff, y, pixels, 1);
}

bool webimage_tiff_reader_is_cut(webimage_tiff_reader *reader) {
    TIFF *tiff = reader->tiff;
    uint32_t count = TIFFIsTiled(tiff) ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    uint64_t size = reader->memory.count;
    // A directory may claim more strips than the file can list, and libtiff would look for each of them.
    if (count > size / sizeof(uint16_t)) count = (uint32_t)(size / sizeof(uint16_t));
    for (uint32_t index = 0; index < count; index++) {
        uint64_t offset = TIFFGetStrileOffset(tiff, index), length = TIFFGetStrileByteCount(tiff, index);
        if (offset > size || length > size - offset) return true;
    }
    return false;
}
