#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>

// libjxl 0.9 removed a parameter that was never used.

#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define WEBIMAGE_JXL_UNUSED NULL,
#else
#define WEBIMAGE_JXL_UNUSED
#endif

static inline JxlDecoderStatus webimage_jxl_color_encoding(
    const JxlDecoder *decoder, JxlColorProfileTarget target, JxlColorEncoding *encoding) {
    return JxlDecoderGetColorAsEncodedProfile(decoder, WEBIMAGE_JXL_UNUSED target, encoding);
}

static inline JxlDecoderStatus webimage_jxl_icc_size(
    const JxlDecoder *decoder, JxlColorProfileTarget target, size_t *size) {
    return JxlDecoderGetICCProfileSize(decoder, WEBIMAGE_JXL_UNUSED target, size);
}

static inline JxlDecoderStatus webimage_jxl_icc(
    const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *bytes, size_t size) {
    return JxlDecoderGetColorAsICCProfile(decoder, WEBIMAGE_JXL_UNUSED target, bytes, size);
}
