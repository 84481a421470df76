#pragma once
#include <libheif/heif.h>

// libheif 1.19 and newer refuse files with more than 100 properties, and so grids whose tiles do not share them. This
// is far above what a camera writes.
static inline void webimage_heif_allow_properties(struct heif_context *context) {
#if LIBHEIF_HAVE_VERSION(1, 19, 0)
    heif_context_get_security_limits(context)->max_children_per_box = 20000;
#else
    (void)context;
#endif
}

// Some versions of libheif take an error without a text for a failure, whatever its code is.
static inline struct heif_error webimage_heif_success(void) {
    struct heif_error error = {heif_error_Ok, heif_suberror_Unspecified, "Success"};
    return error;
}
