#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// OpenCV's functions on RGBA of four bytes. Results are in newly allocated memory, as those of an app would be.

/// A result, to be freed with webimage_opencv_free; without pixels for an operation that OpenCV does not have.
typedef struct {
    const uint8_t *pixels;
    int32_t width, height;
    void *owner;
} webimage_opencv_result;

void webimage_opencv_use_threads(int32_t count);

/// - operation: A name, as in COpenCV.cpp.
webimage_opencv_result webimage_opencv_run(const char *operation, const uint8_t *pixels, int32_t width, int32_t height);
void webimage_opencv_free(webimage_opencv_result result);

#ifdef __cplusplus
}
#endif
