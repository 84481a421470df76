#include "CBareCodecs.h"

#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

size_t webimage_bare_jpeg(const uint8_t *bytes, size_t count) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_EXT_RGBX;
    jpeg_start_decompress(&info);
    size_t row_size = (size_t)info.output_width * 4;
    uint8_t *pixels = malloc(row_size * info.output_height);
    while (pixels && info.output_scanline < info.output_height) {
        JSAMPROW rows[] = {pixels + row_size * info.output_scanline};
        jpeg_read_scanlines(&info, rows, 1);
    }
    size_t result = pixels ? (size_t)info.output_width * info.output_height : 0;
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    free(pixels);
    return result;
}

size_t webimage_progressive_jpeg(const uint8_t *rgbx, uint32_t width, uint32_t height, uint8_t **bytes) {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    unsigned long count = 0;
    *bytes = NULL;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, bytes, &count);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 4;
    info.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 87, TRUE);
    jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < height) {
        JSAMPROW rows[] = {(JSAMPROW)rgbx + (size_t)info.next_scanline * width * 4};
        jpeg_write_scanlines(&info, rows, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return count;
}

bool webimage_large_jpeg(
    const char *path, const uint8_t *rgbx, uint32_t width, uint32_t rows, uint32_t height, int quality) {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_stdio_dest(&info, file);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 4;
    info.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, quality, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < height) {
        JSAMPROW row[] = {(JSAMPROW)(uintptr_t)(rgbx + (size_t)(info.next_scanline % rows) * width * 4)};
        jpeg_write_scanlines(&info, row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return fclose(file) == 0;
}
