#include "Errors.h"

#include <jerror.h>
#include <stdlib.h>

enum { first_capacity = 1 << 16 };

struct webimage_jpeg_encoder {
    webimage_jpeg_errors errors;
    struct jpeg_compress_struct info;
    struct jpeg_destination_mgr destination;
    uint8_t *bytes;
    size_t capacity;
};

// Destination: a buffer that grows. Not jpeg_mem_dest, whose buffer cannot be freed safely after an error.

static webimage_jpeg_encoder *encoder_of(j_compress_ptr info) { return info->client_data; }

static void grow(j_compress_ptr info, size_t used) {
    webimage_jpeg_encoder *encoder = encoder_of(info);
    size_t capacity = encoder->capacity ? encoder->capacity * 2 : first_capacity;
    uint8_t *bytes = realloc(encoder->bytes, capacity);
    if (!bytes) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    encoder->bytes = bytes;
    encoder->capacity = capacity;
    encoder->destination.next_output_byte = bytes + used;
    encoder->destination.free_in_buffer = capacity - used;
}

static void init_destination(j_compress_ptr info) { grow(info, 0); }

static boolean empty_output_buffer(j_compress_ptr info) {
    // By libjpeg's contract the whole buffer is full, regardless of free_in_buffer.
    grow(info, encoder_of(info)->capacity);
    return TRUE;
}

static void term_destination(j_compress_ptr info) { (void)info; }

// Creation and destruction -------------------------------------------------------------------------------------------

webimage_jpeg_encoder *webimage_jpeg_encoder_create(void) {
    webimage_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    encoder->info.err = webimage_jpeg_errors_init(&encoder->errors);
    if (setjmp(encoder->errors.escape)) {
        webimage_jpeg_encoder_destroy(encoder);
        return NULL;
    }
    jpeg_create_compress(&encoder->info);
    encoder->info.client_data = encoder;
    encoder->info.dest = &encoder->destination;
    encoder->destination = (struct jpeg_destination_mgr){
        .init_destination = init_destination,
        .empty_output_buffer = empty_output_buffer,
        .term_destination = term_destination,
    };
    return encoder;
}

void webimage_jpeg_encoder_destroy(webimage_jpeg_encoder *encoder) {
    if (!encoder) return;
    jpeg_destroy_compress(&encoder->info);
    free(encoder->bytes);
    free(encoder);
}

const char *webimage_jpeg_encoder_message(const webimage_jpeg_encoder *encoder) { return encoder->errors.message; }

// Encoding -----------------------------------------------------------------------------------------------------------

webimage_jpeg_status webimage_jpeg_encoder_start(
    webimage_jpeg_encoder *encoder, uint32_t width, uint32_t height, uint32_t quality, bool full_chroma) {
    struct jpeg_compress_struct *info = &encoder->info;
    if (setjmp(encoder->errors.escape)) return encoder->errors.status;
    info->image_width = width;
    info->image_height = height;
    info->input_components = 4;
    info->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, (int)quality, TRUE);
    info->optimize_coding = TRUE;
    // The luminance's factors; those of chroma are 1, so these alone decide.
    info->comp_info[0].h_samp_factor = info->comp_info[0].v_samp_factor = full_chroma ? 1 : 2;
    jpeg_start_compress(info, TRUE);
    return WEBIMAGE_JPEG_OK;
}

webimage_jpeg_status webimage_jpeg_write_app1(webimage_jpeg_encoder *encoder, const uint8_t *content, size_t count) {
    if (setjmp(encoder->errors.escape)) return encoder->errors.status;
    jpeg_write_marker(&encoder->info, JPEG_APP0 + 1, content, (unsigned int)count);
    return WEBIMAGE_JPEG_OK;
}

webimage_jpeg_status webimage_jpeg_write_row(webimage_jpeg_encoder *encoder, const uint8_t *row) {
    if (setjmp(encoder->errors.escape)) return encoder->errors.status;
    JSAMPROW rows[] = {(JSAMPROW)row};
    jpeg_write_scanlines(&encoder->info, rows, 1);
    return WEBIMAGE_JPEG_OK;
}

webimage_jpeg_status webimage_jpeg_encoder_finish(
    webimage_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count) {
    if (setjmp(encoder->errors.escape)) return encoder->errors.status;
    jpeg_finish_compress(&encoder->info);
    *bytes = encoder->bytes;
    *count = encoder->capacity - encoder->destination.free_in_buffer;
    return WEBIMAGE_JPEG_OK;
}
