#pragma once
#include "CPNG.h"

#include <png.h>
#include <setjmp.h>

// The error message, and the jump target of the function that Swift called.
typedef struct {
    jmp_buf target;
    webimage_png_status status;
    char message[96];
} webimage_png_failure;

// libpng's error handler: stores the message and jumps. It must not return.
void webimage_png_on_error(png_structp png, png_const_charp message);
// Warnings concern unused chunks or errors that libpng corrects: they are dropped.
void webimage_png_on_warning(png_structp png, png_const_charp message);

webimage_png_status webimage_png_status_of(const webimage_png_failure *failure);
