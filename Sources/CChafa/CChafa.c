#include "CChafa.h"

#include <chafa.h>

static const ChafaTermSeq beginnings[] = {
    [webimage_sixel] = CHAFA_TERM_SEQ_BEGIN_SIXELS,
    [webimage_kitty] = CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1,
    [webimage_iterm] = CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE,
};

static const webimage_graphics preferences[] = {webimage_kitty, webimage_iterm, webimage_sixel};

static const struct {
    uint32_t count;
    ChafaTermSeq sequence;
    ChafaCanvasMode mode;
} palettes[] = {
    {16777216, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT, CHAFA_CANVAS_MODE_TRUECOLOR},
    {256, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256, CHAFA_CANVAS_MODE_INDEXED_240},
    {16, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16, CHAFA_CANVAS_MODE_INDEXED_16},
    {8, CHAFA_TERM_SEQ_SET_COLOR_FGBG_8, CHAFA_CANVAS_MODE_INDEXED_8},
};

webimage_terminal webimage_terminal_of(char **environment) {
    ChafaTermInfo *info = chafa_term_db_detect(chafa_term_db_get_default(), environment);
    webimage_terminal terminal = {webimage_characters, 0};
    for (size_t i = 0; i < G_N_ELEMENTS(preferences) && terminal.graphics == webimage_characters; i++) {
        if (chafa_term_info_have_seq(info, beginnings[preferences[i]])) terminal.graphics = preferences[i];
    }
    for (size_t i = 0; i < G_N_ELEMENTS(palettes) && terminal.colors == 0; i++) {
        if (chafa_term_info_have_seq(info, palettes[i].sequence)) terminal.colors = palettes[i].count;
    }
    chafa_term_info_unref(info);
    return terminal;
}

// The kind of drawing that the caller asks for is used even if the list does not know that the terminal has it.
static ChafaTermInfo *sequences_of(char **environment) {
    ChafaTermDb *terminals = chafa_term_db_get_default();
    ChafaTermInfo *info = chafa_term_db_detect(terminals, environment);
    ChafaTermInfo *usual = chafa_term_db_get_fallback_info(terminals);
    chafa_term_info_supplement(info, usual);
    chafa_term_info_unref(usual);
    return info;
}

static ChafaPixelMode pixel_mode(webimage_graphics graphics) {
    switch (graphics) {
    case webimage_sixel: return CHAFA_PIXEL_MODE_SIXELS;
    case webimage_kitty: return CHAFA_PIXEL_MODE_KITTY;
    case webimage_iterm: return CHAFA_PIXEL_MODE_ITERM2;
    default: return CHAFA_PIXEL_MODE_SYMBOLS;
    }
}

static ChafaCanvasMode canvas_mode(uint32_t colors) {
    for (size_t i = 0; i < G_N_ELEMENTS(palettes); i++) {
        if (colors >= palettes[i].count) return palettes[i].mode;
    }
    return CHAFA_CANVAS_MODE_FGBG;
}

static ChafaCanvasConfig *config_of(const webimage_drawing *drawing) {
    ChafaSymbolMap *symbols = chafa_symbol_map_new();
    chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_BLOCK | CHAFA_SYMBOL_TAG_BORDER | CHAFA_SYMBOL_TAG_SPACE);
    chafa_symbol_map_remove_by_tags(symbols, CHAFA_SYMBOL_TAG_WIDE);
    // Their opposites with exchanged colours look the same; without colours there is nothing to exchange.
    if (drawing->colors) chafa_symbol_map_remove_by_tags(symbols, CHAFA_SYMBOL_TAG_INVERTED);
    ChafaCanvasConfig *config = chafa_canvas_config_new();
    if (!drawing->colors) {
        // Shades of grey.
        ChafaSymbolMap *fills = chafa_symbol_map_new();
        chafa_symbol_map_add_by_tags(fills, CHAFA_SYMBOL_TAG_STIPPLE | CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_SOLID);
        chafa_canvas_config_set_fill_symbol_map(config, fills);
        chafa_symbol_map_unref(fills);
    }
    chafa_canvas_config_set_geometry(config, drawing->columns, drawing->rows);
    chafa_canvas_config_set_cell_geometry(config, drawing->cell_width, drawing->cell_height);
    chafa_canvas_config_set_pixel_mode(config, pixel_mode(drawing->graphics));
    chafa_canvas_config_set_canvas_mode(config, canvas_mode(drawing->colors));
    chafa_canvas_config_set_symbol_map(config, symbols);
    // Only what is nearly clear is left out; libchafa counts from the other end.
    chafa_canvas_config_set_transparency_threshold(config, 0.95f);
    // Other savings move the cursor over what is there already.
    chafa_canvas_config_set_optimizations(config, CHAFA_OPTIMIZATION_REUSE_ATTRIBUTES);
    chafa_symbol_map_unref(symbols);
    return config;
}

char *webimage_draw(const webimage_drawing *drawing, char **environment, size_t *byte_count) {
    ChafaCanvasConfig *config = config_of(drawing);
    ChafaCanvas *canvas = chafa_canvas_new(config);
    chafa_canvas_config_unref(config);
    if (!canvas) return NULL;
    chafa_canvas_draw_all_pixels(
        canvas, CHAFA_PIXEL_RGBA8_PREMULTIPLIED, drawing->pixels, drawing->width, drawing->height,
        (gint)drawing->bytes_per_row);
    ChafaTermInfo *info = sequences_of(environment);
    GString *text = chafa_canvas_print(canvas, info);
    chafa_term_info_unref(info);
    chafa_canvas_unref(canvas);
    *byte_count = text->len;
    return g_string_free(text, FALSE);
}

void webimage_drawing_free(char *text) { g_free(text); }
