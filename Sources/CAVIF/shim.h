#pragma once
#include <avif/avif.h>

// Wrappers for what differs between versions of libavif, and for arrays, which Swift imports as tuples.

/// libavif's message for the last failure; empty when it has none.
static inline const char *webimage_avif_diagnosis(const avifDecoder *decoder) { return decoder->diag.error; }

/// The axis on which the picture is mirrored after its rotation: 0 swaps top and bottom, 1 left and right.
static inline int webimage_avif_mirror(const avifImage *image) {
#if AVIF_VERSION >= 1000000
    return image->imir.axis;
#else
    return image->imir.mode;
#endif
}

/// The number of repetitions of an image sequence after its first play; negative for endless. libavif before version
/// 1.0 does not report it.
static inline int webimage_avif_repetition_count(const avifDecoder *decoder) {
#if AVIF_VERSION >= 1000000
    return decoder->repetitionCount;
#else
    (void)decoder;
    return -1;
#endif
}

/// Sets the number of repetitions after the first play. libavif before version 1.0 cannot write it.
static inline void webimage_avif_set_repetition_count(avifEncoder *encoder, int count) {
#if AVIF_VERSION >= 1000000
    encoder->repetitionCount = count;
#else
    (void)encoder;
    (void)count;
#endif
}
