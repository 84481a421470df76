#include "Failure.h"

#include <stdio.h>

void webimage_png_on_error(png_structp png, png_const_charp message) {
    webimage_png_failure *failure = png_get_error_ptr(png);
    snprintf(failure->message, sizeof failure->message, "%s", message);
    longjmp(failure->target, 1);
}

void webimage_png_on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

webimage_png_status webimage_png_status_of(const webimage_png_failure *failure) {
    return failure->status == WEBIMAGE_PNG_OK ? WEBIMAGE_PNG_DAMAGED : failure->status;
}
