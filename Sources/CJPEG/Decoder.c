#include "Errors.h"

#include <jerror.h>
#include <stdlib.h>
#include <string.h>

typedef enum { reading_header, starting, reading_scans, reading_rows } decoder_state;

struct webimage_jpeg_decoder {
    webimage_jpeg_errors errors;
    struct jpeg_decompress_struct info;
    struct jpeg_source_mgr source;
    decoder_state state;
    /// False for the beginning of a file, of which only the header is read.
    bool is_complete;
    /// libjpeg asked for bytes behind the last.
    bool reached_end;
    uint8_t *icc_profile;
};

static webimage_jpeg_decoder *decoder_of(j_decompress_ptr info) { return info->client_data; }

// Source ------------------------------------------------------------------------------------------------------------

static void do_nothing(j_decompress_ptr info) { (void)info; }

// Returning FALSE suspends libjpeg, which is wanted for the beginning of a file. At the end of a whole file an end marker
// is made up, so that files whose last rows are complete and that lack only the marker still decode.
static boolean fill_input_buffer(j_decompress_ptr info) {
    static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
    webimage_jpeg_decoder *decoder = decoder_of(info);
    if (!decoder->is_complete) return FALSE;
    decoder->reached_end = true;
    decoder->source.next_input_byte = end_marker;
    decoder->source.bytes_in_buffer = sizeof end_marker;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr info, long count) {
    struct jpeg_source_mgr *source = info->src;
    if (count <= 0) return;
    size_t skipped = (size_t)count < source->bytes_in_buffer ? (size_t)count : source->bytes_in_buffer;
    source->next_input_byte += skipped;
    source->bytes_in_buffer -= skipped;
}

// Warnings ----------------------------------------------------------------------------------------------------------

static bool is_restart_marker(int marker) { return marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7; }

// What libjpeg warns of is tolerated as browsers do, but for one thing: when the data of a scan end early it goes on
// with gray. Where a restart marker follows, only a few blocks are damaged, and a later scan of a progressive file only
// sharpens what is there; anything else means that a part of the picture is missing.
static void check_message(j_common_ptr common, int level) {
    j_decompress_ptr info = (j_decompress_ptr)common;
    if (level >= 0 || common->err->msg_code != JWRN_HIT_MARKER) return;
    bool is_refinement = info->progressive_mode && (info->Ss > 0 || info->Ah > 0);
    if (is_restart_marker(info->unread_marker) || is_refinement) return;
    webimage_jpeg_escape(common, WEBIMAGE_JPEG_TRUNCATED);
}

// A header that goes on behind the end of the file fails in many ways; to a person they are one.
static webimage_jpeg_status failure(const webimage_jpeg_decoder *decoder) {
    bool is_truncated = decoder->errors.status == WEBIMAGE_JPEG_FAILED && decoder->reached_end;
    return is_truncated ? WEBIMAGE_JPEG_TRUNCATED : decoder->errors.status;
}

// Life --------------------------------------------------------------------------------------------------------------

webimage_jpeg_decoder *webimage_jpeg_decoder_create(const uint8_t *bytes, size_t count, bool is_complete) {
    webimage_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->info.err = webimage_jpeg_errors_init(&decoder->errors);
    decoder->errors.manager.emit_message = check_message;
    decoder->is_complete = is_complete;
    if (setjmp(decoder->errors.escape)) {
        webimage_jpeg_decoder_destroy(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->info);
    decoder->info.client_data = decoder;
    decoder->info.src = &decoder->source;
    decoder->source = (struct jpeg_source_mgr){
        .next_input_byte = bytes,
        .bytes_in_buffer = count,
        .init_source = do_nothing,
        .fill_input_buffer = fill_input_buffer,
        .skip_input_data = skip_input_data,
        .resync_to_restart = jpeg_resync_to_restart,
        .term_source = do_nothing,
    };
    return decoder;
}

void webimage_jpeg_decoder_destroy(webimage_jpeg_decoder *decoder) {
    if (!decoder) return;
    jpeg_destroy_decompress(&decoder->info);
    free(decoder->icc_profile);
    free(decoder);
}

const char *webimage_jpeg_decoder_message(const webimage_jpeg_decoder *decoder) { return decoder->errors.message; }

// Header ------------------------------------------------------------------------------------------------------------

// EXIF and XMP both stand in APP1 and differ by the name in front, which ends with a zero.
static webimage_jpeg_bytes find_metadata(const webimage_jpeg_decoder *decoder, const char *name, size_t name_size) {
    for (jpeg_saved_marker_ptr marker = decoder->info.marker_list; marker; marker = marker->next) {
        bool is_named = marker->marker == JPEG_APP0 + 1 && marker->data_length > name_size
            && memcmp(marker->data, name, name_size) == 0;
        if (is_named) return (webimage_jpeg_bytes){marker->data + name_size, marker->data_length - name_size};
    }
    return (webimage_jpeg_bytes){NULL, 0};
}

static webimage_jpeg_bytes find_icc_profile(webimage_jpeg_decoder *decoder) {
    unsigned int count = 0;
    if (!jpeg_read_icc_profile(&decoder->info, &decoder->icc_profile, &count)) count = 0;
    return (webimage_jpeg_bytes){count ? decoder->icc_profile : NULL, count};
}

webimage_jpeg_status webimage_jpeg_read_header(webimage_jpeg_decoder *decoder, webimage_jpeg_header *header) {
    static const char exif[] = "Exif\0", xmp[] = "http://ns.adobe.com/xap/1.0/";
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    jpeg_save_markers(info, JPEG_APP0 + 1, 0xFFFF);
    jpeg_save_markers(info, JPEG_APP0 + 2, 0xFFFF);
    if (jpeg_read_header(info, TRUE) == JPEG_SUSPENDED) return WEBIMAGE_JPEG_INCOMPLETE;
    *header = (webimage_jpeg_header){
        .width = info->image_width,
        .height = info->image_height,
        .bits_per_channel = (uint32_t)info->data_precision,
        .is_cmyk = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK,
        .has_multiple_scans = jpeg_has_multiple_scans(info),
        .exif = find_metadata(decoder, exif, sizeof exif),
        .xmp = find_metadata(decoder, xmp, sizeof xmp),
        .icc_profile = find_icc_profile(decoder),
    };
    info->out_color_space = header->is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    decoder->state = starting;
    return WEBIMAGE_JPEG_OK;
}

// Pixels ------------------------------------------------------------------------------------------------------------

webimage_jpeg_status webimage_jpeg_set_scale(
    webimage_jpeg_decoder *decoder, uint32_t eighths, uint32_t *width, uint32_t *height) {
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    decoder->info.scale_num = eighths;
    decoder->info.scale_denom = 8;
    jpeg_calc_output_dimensions(&decoder->info);
    *width = decoder->info.output_width;
    *height = decoder->info.output_height;
    return WEBIMAGE_JPEG_OK;
}

// One call takes in a row of blocks or a few markers. Scans are read this way and not by jpeg_start_decompress alone so
// that the caller can stop between the calls.
static webimage_jpeg_status read_scans(webimage_jpeg_decoder *decoder, uint32_t maximum_scan_count) {
    struct jpeg_decompress_struct *info = &decoder->info;
    int result = jpeg_consume_input(info);
    if ((uint32_t)info->input_scan_number > maximum_scan_count) return WEBIMAGE_JPEG_TOO_MANY_SCANS;
    if (result != JPEG_REACHED_EOI) return WEBIMAGE_JPEG_MORE;
    if (decoder->reached_end) return WEBIMAGE_JPEG_TRUNCATED;
    jpeg_start_output(info, info->input_scan_number);
    decoder->state = reading_rows;
    return WEBIMAGE_JPEG_OK;
}

webimage_jpeg_status webimage_jpeg_prepare_rows(webimage_jpeg_decoder *decoder, uint32_t maximum_scan_count) {
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    if (decoder->state == reading_scans) return read_scans(decoder, maximum_scan_count);
    info->buffered_image = jpeg_has_multiple_scans(info);
    jpeg_start_decompress(info);
    decoder->state = info->buffered_image ? reading_scans : reading_rows;
    return info->buffered_image ? WEBIMAGE_JPEG_MORE : WEBIMAGE_JPEG_OK;
}

webimage_jpeg_status webimage_jpeg_read_row(webimage_jpeg_decoder *decoder, uint8_t *row) {
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    JSAMPROW rows[] = {row};
    jpeg_read_scanlines(&decoder->info, rows, 1);
    // The arithmetic decoder goes on with zeros behind the end, and does not even warn.
    bool is_truncated = decoder->reached_end && decoder->info.arith_code;
    return is_truncated ? WEBIMAGE_JPEG_TRUNCATED : WEBIMAGE_JPEG_OK;
}
