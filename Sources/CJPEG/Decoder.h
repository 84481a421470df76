#pragma once

#include "Errors.h"
#include "Source.h"

struct webimage_jpeg_decoder {
    webimage_jpeg_errors errors;
    struct jpeg_decompress_struct info;
    webimage_jpeg_source source;
    uint8_t *icc_profile;
    webimage_jpeg_precision precision;
};
