#include "CTIFF.h"
#include "Memory.h"

#include <stdlib.h>

struct webimage_tiff_writer {
    webimage_tiff_memory memory;
    TIFF *tiff;
};

webimage_tiff_writer *webimage_tiff_writer_create(void) {
    webimage_tiff_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->memory.is_writable = true;
    writer->tiff = webimage_tiff_open(&writer->memory, "w", 0);
    if (writer->tiff) return writer;
    webimage_tiff_writer_destroy(writer);
    return NULL;
}

void webimage_tiff_writer_destroy(webimage_tiff_writer *writer) {
    if (!writer) return;
    if (writer->tiff) TIFFClose(writer->tiff);
    free(writer->memory.bytes);
    free(writer);
}

const char *webimage_tiff_writer_message(const webimage_tiff_writer *writer) { return writer->memory.message; }

bool webimage_tiff_writer_start(
    webimage_tiff_writer *writer, uint32_t width, uint32_t height, bool has_alpha, uint16_t bits, uint16_t compression) {
    TIFF *tiff = writer->tiff;
    uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
    return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width) && TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height)
        && TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits)
        && TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, has_alpha ? 4 : 3)
        && (!has_alpha || TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha))
        && TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB)
        && TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG)
        && TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression)
        && (compression == COMPRESSION_NONE || TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL))
        && TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, TIFFDefaultStripSize(tiff, 0));
}

bool webimage_tiff_writer_row(webimage_tiff_writer *writer, uint32_t y, void *row) {
    return TIFFWriteScanline(writer->tiff, row, y, 0) == 1;
}

bool webimage_tiff_writer_finish(webimage_tiff_writer *writer, uint8_t **bytes, size_t *count) {
    bool is_whole = TIFFFlush(writer->tiff);
    TIFFClose(writer->tiff);
    writer->tiff = NULL;
    if (!is_whole || writer->memory.message[0]) return false;
    *bytes = writer->memory.bytes;
    *count = writer->memory.count;
    writer->memory.bytes = NULL;
    return true;
}
