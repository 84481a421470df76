#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CJPEG.h"

/// libjpeg's error manager with a jump target. The manager is the first member, so that libjpeg's pointer can be cast.
typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
    webimage_jpeg_status status;
    char message[JMSG_LENGTH_MAX];
} webimage_jpeg_errors;

/// Leaves libjpeg with a status, and keeps its message.
_Noreturn void webimage_jpeg_escape(j_common_ptr info, webimage_jpeg_status status);

/// Initialises the manager; warnings are dropped.
struct jpeg_error_mgr *webimage_jpeg_errors_init(webimage_jpeg_errors *errors);
