#include "Clones.h"
#include "PixelBlocks.h"

#include <math.h>

// Formulas of W3C's Compositing and Blending Level 1, for premultiplied colours: `s` and `d` are a channel of source and
// destination, `sa` and `da` their alphas. A separable mode mixes colours only where both are; each is alone in the rest.

enum { length = WEBIMAGE_BLOCK_LENGTH };

static inline float smaller(float a, float b) { return a < b ? a : b; }
static inline float larger(float a, float b) { return a > b ? a : b; }

static inline float mix_multiply(float s, float d, float sa, float da) { return s * d; }
static inline float mix_screen(float s, float d, float sa, float da) { return s * da + d * sa - s * d; }
static inline float mix_darken(float s, float d, float sa, float da) { return smaller(s * da, d * sa); }
static inline float mix_lighten(float s, float d, float sa, float da) { return larger(s * da, d * sa); }
static inline float mix_difference(float s, float d, float sa, float da) { return fabsf(s * da - d * sa); }
static inline float mix_exclusion(float s, float d, float sa, float da) { return s * da + d * sa - 2 * s * d; }

static inline float mix_hard_light(float s, float d, float sa, float da) {
    return 2 * s <= sa ? 2 * s * d : sa * da - 2 * (da - d) * (sa - s);
}

static inline float mix_overlay(float s, float d, float sa, float da) { return mix_hard_light(d, s, da, sa); }

static inline float mix_color_dodge(float s, float d, float sa, float da) {
    float quotient = sa > s ? d * sa / (sa - s) : da;
    return d <= 0 ? 0 : sa * smaller(da, quotient);
}

static inline float mix_color_burn(float s, float d, float sa, float da) {
    float quotient = s > 0 ? (da - d) * sa / s : da;
    return d >= da ? sa * da : sa * (da - smaller(da, quotient));
}

static inline float mix_soft_light(float s, float d, float sa, float da) {
    float source = sa > 0 ? s / sa : 0, under = da > 0 ? d / da : 0;
    // Unlike sqrtf, it sets no errno, which keeps loops from being vectorised.
    float root = __builtin_elementwise_sqrt(under);
    float curve = under <= 0.25f ? ((16 * under - 12) * under + 4) * under : root;
    float change = source <= 0.5f ? under * (1 - under) : curve - under;
    return sa * da * (under + (2 * source - 1) * change);
}

#define LOOP(colour, alphas)                                                                                           \
    for (size_t i = 0; i < count; i++) {                                                                               \
        float sa = source[3 * length + i], da = block[3 * length + i];                                                 \
        for (size_t plane = 0; plane < 3 * length; plane += length) {                                                  \
            float s = source[plane + i], d = block[plane + i];                                                         \
            block[plane + i] = colour;                                                                                 \
        }                                                                                                              \
        block[3 * length + i] = alphas;                                                                                \
    }

// Its own function for each mode, because a clone of one with all of them would not be vectorised.
#define OPERATOR(name, colour, alphas)                                                                                 \
    WEBIMAGE_CLONES static void name(const float *restrict source, size_t count, float *restrict block) {              \
        LOOP(colour, alphas)                                                                                           \
    }

#define SEPARABLE(name)                                                                                                \
    OPERATOR(blend_##name, mix_##name(s, d, sa, da) + s * (1 - da) + d * (1 - sa), sa + da - sa * da)

SEPARABLE(multiply)
SEPARABLE(screen)
SEPARABLE(overlay)
SEPARABLE(darken)
SEPARABLE(lighten)
SEPARABLE(color_dodge)
SEPARABLE(color_burn)
SEPARABLE(soft_light)
SEPARABLE(hard_light)
SEPARABLE(difference)
SEPARABLE(exclusion)

OPERATOR(source_over, s + d * (1 - sa), sa + da - sa * da)
OPERATOR(clear, 0, 0)
OPERATOR(copy, s, sa)
OPERATOR(source_in, s * da, sa * da)
OPERATOR(source_out, s * (1 - da), sa * (1 - da))
OPERATOR(source_atop, s * da + d * (1 - sa), da)
OPERATOR(destination_over, d + s * (1 - da), sa + da - sa * da)
OPERATOR(destination_in, d * sa, da * sa)
OPERATOR(destination_out, d * (1 - sa), da * (1 - sa))
OPERATOR(destination_atop, d * sa + s * (1 - da), sa)
OPERATOR(exclusive_or, s * (1 - da) + d * (1 - sa), sa + da - 2 * sa * da)
OPERATOR(plus_lighter, smaller(1, s + d), smaller(1, sa + da))

void webimage_block_blend(const float *source, webimage_blend_mode mode, size_t count, float *block) {
    switch (mode) {
    case webimage_blend_normal: source_over(source, count, block); break;
    case webimage_blend_multiply: blend_multiply(source, count, block); break;
    case webimage_blend_screen: blend_screen(source, count, block); break;
    case webimage_blend_overlay: blend_overlay(source, count, block); break;
    case webimage_blend_darken: blend_darken(source, count, block); break;
    case webimage_blend_lighten: blend_lighten(source, count, block); break;
    case webimage_blend_color_dodge: blend_color_dodge(source, count, block); break;
    case webimage_blend_color_burn: blend_color_burn(source, count, block); break;
    case webimage_blend_soft_light: blend_soft_light(source, count, block); break;
    case webimage_blend_hard_light: blend_hard_light(source, count, block); break;
    case webimage_blend_difference: blend_difference(source, count, block); break;
    case webimage_blend_exclusion: blend_exclusion(source, count, block); break;
    case webimage_blend_clear: clear(source, count, block); break;
    case webimage_blend_copy: copy(source, count, block); break;
    case webimage_blend_source_in: source_in(source, count, block); break;
    case webimage_blend_source_out: source_out(source, count, block); break;
    case webimage_blend_source_atop: source_atop(source, count, block); break;
    case webimage_blend_destination: break;
    case webimage_blend_destination_over: destination_over(source, count, block); break;
    case webimage_blend_destination_in: destination_in(source, count, block); break;
    case webimage_blend_destination_out: destination_out(source, count, block); break;
    case webimage_blend_destination_atop: destination_atop(source, count, block); break;
    case webimage_blend_xor: exclusive_or(source, count, block); break;
    case webimage_blend_plus_lighter: plus_lighter(source, count, block); break;
    }
}
