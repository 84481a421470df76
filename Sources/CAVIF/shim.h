#pragma once
#include <avif/avif.h>

// What versions of libavif call differently or do not have, and arrays that Swift would see as tuples.

/// The sentence that libavif has for the last failure; empty when it has none.
static inline const char *webimage_avif_diagnosis(const avifDecoder *decoder) { return decoder->diag.error; }

/// How the picture is mirrored after it was turned: 0 exchanges top and bottom, 1 left and right.
static inline int webimage_avif_mirror(const avifImage *image) {
#if AVIF_VERSION >= 1000000
    return image->imir.axis;
#else
    return image->imir.mode;
#endif
}

/// How often an image sequence is repeated after it was shown once; negative for ever. Before version 1.0 libavif does
/// not tell.
static inline int webimage_avif_repetition_count(const avifDecoder *decoder) {
#if AVIF_VERSION >= 1000000
    return decoder->repetitionCount;
#else
    (void)decoder;
    return -1;
#endif
}

/// Sets how often an image sequence is repeated after it was shown once. Before version 1.0 libavif cannot write it.
static inline void webimage_avif_set_repetition_count(avifEncoder *encoder, int count) {
#if AVIF_VERSION >= 1000000
    encoder->repetitionCount = count;
#else
    (void)encoder;
    (void)count;
#endif
}
