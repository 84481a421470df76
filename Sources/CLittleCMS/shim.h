#pragma once
#include <lcms2.h>

// Pixel layouts, which Little CMS makes with macros that Swift does not see. All are four channels wide, so that a row is
// converted in place; what is no channel is left alone.
enum {
    /// Red, green, blue, one byte not looked at.
    WEBIMAGE_LCMS_RGBX = TYPE_RGBA_8,
    /// Gray, three bytes not looked at.
    WEBIMAGE_LCMS_GRAYXXX = COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1),
    /// The same two with 16 bits each.
    WEBIMAGE_LCMS_RGBX_16 = TYPE_RGBA_16,
    WEBIMAGE_LCMS_GRAYXXX_16 = COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(2),
    /// Cyan, magenta, yellow, black; 255 is no ink.
    WEBIMAGE_LCMS_INVERTED_CMYK = TYPE_CMYK_8_REV,
};
