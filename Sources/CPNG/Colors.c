#include "CPNG.h"

#include <stdlib.h>
#include <string.h>

enum { table_size = 1024, no_index = 0xFFFF };

struct webimage_png_colors {
    uint32_t colors[WEBIMAGE_PNG_PALETTE_SIZE];
    uint32_t count;
    // Open addressing: the index of the colour that hashes to this slot or to one before it.
    uint16_t places[table_size];
};

static inline uint32_t load(const uint8_t *pixel) {
    uint32_t color;
    memcpy(&color, pixel, sizeof color);
    return color;
}

static inline uint32_t place_of(uint32_t color) { return (color * 0x9E3779B1u) >> 22; }

// The slot of a colour in the table, or the empty slot where it belongs.
static inline uint32_t find(const webimage_png_colors *colors, uint32_t color) {
    uint32_t place = place_of(color);
    while (colors->places[place] != no_index && colors->colors[colors->places[place]] != color) {
        place = (place + 1) % table_size;
    }
    return place;
}

static bool add(webimage_png_colors *colors, uint32_t color) {
    uint32_t place = find(colors, color);
    if (colors->places[place] != no_index) return true;
    if (colors->count == WEBIMAGE_PNG_PALETTE_SIZE) return false;
    colors->places[place] = (uint16_t)colors->count;
    colors->colors[colors->count++] = color;
    return true;
}

webimage_png_colors *webimage_png_colors_create(const uint8_t *pixels, size_t count) {
    webimage_png_colors *colors = malloc(sizeof *colors);
    if (!colors) return NULL;
    colors->count = 0;
    memset(colors->places, 0xFF, sizeof colors->places);
    uint32_t last = count ? ~load(pixels) : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t color = load(pixels + i * 4);
        if (color == last) continue;
        last = color;
        if (add(colors, color)) continue;
        free(colors);
        return NULL;
    }
    return colors;
}

void webimage_png_colors_destroy(webimage_png_colors *colors) { free(colors); }

// Translucent colours first, so that the list of alphas can end early; then by value, so that equal pictures give equal
// files.
static int compare(const void *first, const void *second) {
    uint32_t a, b;
    memcpy(&a, first, sizeof a);
    memcpy(&b, second, sizeof b);
    bool is_opaque_a = a >> 24 == 255, is_opaque_b = b >> 24 == 255;
    if (is_opaque_a != is_opaque_b) return is_opaque_a ? 1 : -1;
    return a < b ? -1 : a > b;
}

const uint32_t *webimage_png_colors_sorted(webimage_png_colors *colors, uint32_t *count) {
    qsort(colors->colors, colors->count, sizeof *colors->colors, compare);
    memset(colors->places, 0xFF, sizeof colors->places);
    for (uint32_t i = 0; i < colors->count; i++) colors->places[find(colors, colors->colors[i])] = (uint16_t)i;
    *count = colors->count;
    return colors->colors;
}

void webimage_png_colors_index(
    const webimage_png_colors *colors, const uint8_t *pixels, size_t count, uint8_t *indices) {
    for (size_t i = 0; i < count; i++) indices[i] = (uint8_t)colors->places[find(colors, load(pixels + i * 4))];
}

bool webimage_png_is_gray(const void *pixels, size_t count, bool is_deep) {
    if (is_deep) {
        const uint16_t *pixel = pixels;
        for (size_t i = 0; i < count; i++, pixel += 4) {
            if (pixel[0] != pixel[1] || pixel[1] != pixel[2]) return false;
        }
        return true;
    }
    const uint8_t *pixel = pixels;
    for (size_t i = 0; i < count; i++, pixel += 4) {
        if (pixel[0] != pixel[1] || pixel[1] != pixel[2]) return false;
    }
    return true;
}

void webimage_png_take_gray(const void *pixels, size_t count, bool is_deep, bool has_alpha, void *result) {
    size_t channels = has_alpha ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        if (is_deep) {
            const uint16_t *pixel = (const uint16_t *)pixels + i * 4;
            uint16_t *gray = (uint16_t *)result + i * channels;
            gray[0] = pixel[0];
            if (has_alpha) gray[1] = pixel[3];
        } else {
            const uint8_t *pixel = (const uint8_t *)pixels + i * 4;
            uint8_t *gray = (uint8_t *)result + i * channels;
            gray[0] = pixel[0];
            if (has_alpha) gray[1] = pixel[3];
        }
    }
}
