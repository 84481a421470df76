#include "Decoder.h"

#include <jerror.h>
#include <stdlib.h>
#include <string.h>

// Warnings ----------------------------------------------------------------------------------------------------------

static bool is_restart_marker(int marker) { return marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7; }

// Whether a scan of a whole file ends in one of its last rows of blocks. One flipped bit lets the decoder use up its bits too
// soon, until it is in step again some blocks later; a file that somebody has cut and closed lacks more.
static bool lacks_few_blocks(j_decompress_ptr info) {
    // The error manager is the first member.
    const webimage_jpeg_decoder *decoder = (const webimage_jpeg_decoder *)info->err;
    bool is_whole = decoder->source.is_complete && !decoder->source.reached_end;
    JDIMENSION missing = info->total_iMCU_rows - info->input_iMCU_row;
    return is_whole && missing <= 2;
}

// libjpeg's warnings are tolerated, as browsers do, with one exception: when the data of a scan end early, libjpeg
// fills in gray. Before a restart marker, and near a scan's end in a whole file, that damages only a few blocks, and in a later
// scan of a progressive file it only costs sharpness; anywhere else a part of the picture is missing.
static void check_message(j_common_ptr common, int level) {
    j_decompress_ptr info = (j_decompress_ptr)common;
    if (level >= 0 || common->err->msg_code != JWRN_HIT_MARKER) return;
    bool is_refinement = info->progressive_mode && (info->Ss > 0 || info->Ah > 0);
    bool is_restart = info->restart_interval && is_restart_marker(info->unread_marker);
    if (is_restart || is_refinement || lacks_few_blocks(info)) return;
    webimage_jpeg_escape(common, WEBIMAGE_JPEG_TRUNCATED);
}

// A header that continues beyond the end of the file fails in many ways; all of them are reported as truncation.
static webimage_jpeg_status failure(const webimage_jpeg_decoder *decoder) {
    bool is_truncated = decoder->errors.status == WEBIMAGE_JPEG_FAILED && decoder->source.reached_end;
    return is_truncated ? WEBIMAGE_JPEG_TRUNCATED : decoder->errors.status;
}

// Creation and destruction -------------------------------------------------------------------------------------------

webimage_jpeg_decoder *webimage_jpeg_decoder_create(const uint8_t *bytes, size_t count, bool is_complete) {
    webimage_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->info.err = webimage_jpeg_errors_init(&decoder->errors);
    decoder->errors.manager.emit_message = check_message;
    if (setjmp(decoder->errors.escape)) {
        webimage_jpeg_decoder_destroy(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->info);
    decoder->info.src = &decoder->source.manager;
    webimage_jpeg_source_init(&decoder->source, bytes, count, is_complete);
    return decoder;
}

void webimage_jpeg_decoder_destroy(webimage_jpeg_decoder *decoder) {
    if (!decoder) return;
    jpeg_destroy_decompress(&decoder->info);
    webimage_jpeg_source_destroy(&decoder->source);
    free(decoder->icc_profile);
    free(decoder);
}

webimage_jpeg_status webimage_jpeg_append(webimage_jpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
    return webimage_jpeg_source_append(&decoder->source, bytes, count) ? WEBIMAGE_JPEG_OK : WEBIMAGE_JPEG_OUT_OF_MEMORY;
}

const char *webimage_jpeg_decoder_message(const webimage_jpeg_decoder *decoder) { return decoder->errors.message; }

// Header ------------------------------------------------------------------------------------------------------------

// EXIF and XMP are both in APP1; the name at the start, which ends with a zero, distinguishes them.
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
        .is_gray = info->jpeg_color_space == JCS_GRAYSCALE,
        .has_multiple_scans = jpeg_has_multiple_scans(info),
        .is_arithmetic = info->arith_code,
        .exif = find_metadata(decoder, exif, sizeof exif),
        .xmp = find_metadata(decoder, xmp, sizeof xmp),
        .icc_profile = find_icc_profile(decoder),
    };
    info->out_color_space = header->is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    return WEBIMAGE_JPEG_OK;
}

// Pixels ------------------------------------------------------------------------------------------------------------

webimage_jpeg_status webimage_jpeg_set_scale(
    webimage_jpeg_decoder *decoder, uint32_t eighths, bool smooths_chroma, uint32_t *width, uint32_t *height) {
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    decoder->info.do_fancy_upsampling = smooths_chroma;
    decoder->info.scale_num = eighths;
    decoder->info.scale_denom = 8;
    jpeg_calc_output_dimensions(&decoder->info);
    *width = decoder->info.output_width;
    *height = decoder->info.output_height;
    return WEBIMAGE_JPEG_OK;
}

webimage_jpeg_status webimage_jpeg_start(webimage_jpeg_decoder *decoder) {
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    decoder->info.buffered_image = jpeg_has_multiple_scans(&decoder->info);
    return jpeg_start_decompress(&decoder->info) ? WEBIMAGE_JPEG_OK : WEBIMAGE_JPEG_INCOMPLETE;
}

// The precision of all coefficients, which libjpeg tracks for each: the number of missing bits, -1 for all.
static webimage_jpeg_precision find_precision(j_decompress_ptr info) {
    if (!info->progressive_mode || !info->coef_bits) return WEBIMAGE_JPEG_NOTHING;
    webimage_jpeg_precision precision = WEBIMAGE_JPEG_NEARLY_ALL;
    for (int component = 0; component < info->num_components; component++) {
        for (int coefficient = 0; coefficient < DCTSIZE2; coefficient++) {
            int missing = info->coef_bits[component][coefficient];
            webimage_jpeg_precision known = missing >= 0 && missing <= 1 ? WEBIMAGE_JPEG_NEARLY_ALL
                : missing >= 0                                           ? WEBIMAGE_JPEG_ALL_ROUGHLY
                : coefficient > 0                                        ? WEBIMAGE_JPEG_AVERAGES
                                                                         : WEBIMAGE_JPEG_NOTHING;
            if (known < precision) precision = known;
        }
    }
    return precision;
}

webimage_jpeg_precision webimage_jpeg_known_precision(const webimage_jpeg_decoder *decoder) {
    return decoder->precision;
}

// Reads scans one by one instead of by jpeg_start_decompress, so that the caller can stop between the calls.
webimage_jpeg_status webimage_jpeg_read_scans(
    webimage_jpeg_decoder *decoder, uint32_t maximum_scan_count, uint32_t *complete_scan_count) {
    struct jpeg_decompress_struct *info = &decoder->info;
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    int result = jpeg_consume_input(info);
    if ((uint32_t)info->input_scan_number > maximum_scan_count) return WEBIMAGE_JPEG_TOO_MANY_SCANS;
    *complete_scan_count = (uint32_t)info->input_scan_number - (result == JPEG_REACHED_EOI ? 0 : 1);
    if (result == JPEG_SCAN_COMPLETED) {
        decoder->precision = find_precision(info);
        *complete_scan_count = (uint32_t)info->input_scan_number;
    }
    if (result == JPEG_SUSPENDED) return WEBIMAGE_JPEG_INCOMPLETE;
    if (result != JPEG_REACHED_EOI) return WEBIMAGE_JPEG_MORE;
    return decoder->source.reached_end ? WEBIMAGE_JPEG_TRUNCATED : WEBIMAGE_JPEG_OK;
}

webimage_jpeg_status webimage_jpeg_start_pass(
    webimage_jpeg_decoder *decoder, uint32_t scan, bool smooths_blocks) {
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    decoder->info.do_block_smoothing = smooths_blocks;
    return jpeg_start_output(&decoder->info, (int)scan) ? WEBIMAGE_JPEG_OK : WEBIMAGE_JPEG_INCOMPLETE;
}

webimage_jpeg_status webimage_jpeg_finish_pass(webimage_jpeg_decoder *decoder) {
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    return jpeg_finish_output(&decoder->info) ? WEBIMAGE_JPEG_OK : WEBIMAGE_JPEG_INCOMPLETE;
}

webimage_jpeg_status webimage_jpeg_read_row(webimage_jpeg_decoder *decoder, uint8_t *row) {
    if (setjmp(decoder->errors.escape)) return failure(decoder);
    JSAMPROW rows[] = {row};
    if (!jpeg_read_scanlines(&decoder->info, rows, 1)) return WEBIMAGE_JPEG_INCOMPLETE;
    // The arithmetic decoder reads zeros beyond the end, and does not even warn.
    bool is_truncated = decoder->source.reached_end && decoder->info.arith_code;
    return is_truncated ? WEBIMAGE_JPEG_TRUNCATED : WEBIMAGE_JPEG_OK;
}
