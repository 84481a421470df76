#pragma once
#include <lcms2.h>

// Pixel layouts, which Little CMS defines by macros that Swift does not import. All are four channels wide, so that
// rows are converted in place; unused channels are left alone.
enum {
    /// Red, green, blue, one unused byte.
    WEBIMAGE_LCMS_RGBX = TYPE_RGBA_8,
    /// Gray, three unused bytes.
    WEBIMAGE_LCMS_GRAYXXX = COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1),
    /// The same two with 16 bits per channel.
    WEBIMAGE_LCMS_RGBX_16 = TYPE_RGBA_16,
    WEBIMAGE_LCMS_GRAYXXX_16 = COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(2),
    /// Red, green, blue in floating point, 0 to 1 and beyond.
    WEBIMAGE_LCMS_RGB_FLOAT = FLOAT_SH(1) | COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | BYTES_SH(4),
    /// Cyan, magenta, yellow, black; 255 is no ink.
    WEBIMAGE_LCMS_INVERTED_CMYK = TYPE_CMYK_8_REV,
};
