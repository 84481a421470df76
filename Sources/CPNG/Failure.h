#pragma once
#include "CPNG.h"

#include <png.h>
#include <setjmp.h>

// What went wrong, and where the function that was called from Swift waits for it.
typedef struct {
    jmp_buf target;
    webimage_png_status status;
    char message[96];
} webimage_png_failure;

// libpng's error handler: keeps the message and jumps. Never returns, as libpng demands.
void webimage_png_on_error(png_structp png, png_const_charp message);
// Warnings are about chunks that we do not use, or about what is mended in place: not worth a line to anybody.
void webimage_png_on_warning(png_structp png, png_const_charp message);

webimage_png_status webimage_png_status_of(const webimage_png_failure *failure);
