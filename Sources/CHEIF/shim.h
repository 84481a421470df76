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
