#include "Errors.h"

_Noreturn void webimage_jpeg_escape(j_common_ptr info, webimage_jpeg_status status) {
    webimage_jpeg_errors *errors = (webimage_jpeg_errors *)info->err;
    errors->status = status;
    info->err->format_message(info, errors->message);
    longjmp(errors->escape, 1);
}

static void fail(j_common_ptr info) { webimage_jpeg_escape(info, WEBIMAGE_JPEG_FAILED); }

// The default prints to standard error.
static void ignore_message(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

struct jpeg_error_mgr *webimage_jpeg_errors_init(webimage_jpeg_errors *errors) {
    struct jpeg_error_mgr *manager = jpeg_std_error(&errors->manager);
    manager->error_exit = fail;
    manager->emit_message = ignore_message;
    errors->status = WEBIMAGE_JPEG_OK;
    errors->message[0] = 0;
    return manager;
}
