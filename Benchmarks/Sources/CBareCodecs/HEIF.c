#include "CBareCodecs.h"

#include <libheif/heif.h>

size_t webimage_bare_heif(const uint8_t *bytes, size_t count) {
    struct heif_context *context = heif_context_alloc();
    struct heif_image_handle *handle = NULL;
    struct heif_image *image = NULL;
    size_t result = 0;
    heif_context_set_max_decoding_threads(context, 0);
    if (heif_context_read_from_memory_without_copy(context, bytes, count, NULL).code == heif_error_Ok &&
        heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok &&
        heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, NULL).code ==
            heif_error_Ok)
        result = (size_t)heif_image_get_primary_width(image) * heif_image_get_primary_height(image);
    if (image) heif_image_release(image);
    if (handle) heif_image_handle_release(handle);
    heif_context_free(context);
    return result;
}
