#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CJPEG.h"

/// libjpeg's error manager with a way out of it. The first member, so that libjpeg's pointer leads here.
typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
    webimage_jpeg_status status;
    char message[JMSG_LENGTH_MAX];
} webimage_jpeg_errors;

/// Leaves libjpeg with a status, keeping the message that it has just put together.
_Noreturn void webimage_jpeg_escape(j_common_ptr info, webimage_jpeg_status status);

/// Fills in the manager; warnings go to nobody.
struct jpeg_error_mgr *webimage_jpeg_errors_init(webimage_jpeg_errors *errors);
