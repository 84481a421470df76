#define _GNU_SOURCE
#include "CRSVG.h"

#include <dlfcn.h>
#include <librsvg/rsvg.h>
#include <math.h>

// A CSS pixel is 1/96 inch. Without a font size, browsers take 16 pixels, and librsvg 12.
static const double dots_per_inch = 96, usual_font_size = 16;

static void take(webimage_svg_message *message, GError *error) {
    g_strlcpy(message->text, error ? error->message : "librsvg gives no reason", sizeof message->text);
    g_clear_error(&error);
}

webimage_svg *webimage_svg_open(const void *bytes, size_t count, webimage_svg_message *message) {
    GError *error = NULL;
    RsvgHandle *handle = rsvg_handle_new_with_flags(RSVG_HANDLE_FLAGS_NONE);
    GInputStream *stream = g_memory_input_stream_new_from_data(bytes, (gssize)count, NULL);
    rsvg_handle_set_dpi(handle, dots_per_inch);
    gboolean is_read = rsvg_handle_read_stream_sync(handle, stream, NULL, &error);
    g_object_unref(stream);
    if (is_read) return (webimage_svg *)handle;
    g_object_unref(handle);
    take(message, error);
    return NULL;
}

void webimage_svg_close(webimage_svg *document) { g_object_unref(document); }

void webimage_svg_release_fonts(void) {
    // Of a library that only librsvg is linked with.
    void (*set_default)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "pango_cairo_font_map_set_default");
    if (set_default) set_default(NULL);
}

static double ems(RsvgLength length) {
    if (length.unit == RSVG_UNIT_EM) return length.length;
    return length.unit == RSVG_UNIT_EX ? length.length / 2 : 0;
}

// librsvg tells the font size of the root element only by what it makes of a length.
static double root_font_size(RsvgHandle *handle, RsvgLength width, RsvgLength height) {
    double across = 0, down = 0;
    if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &across, &down)) return usual_font_size;
    if (ems(width) > 0) return across / ems(width);
    return ems(height) > 0 ? down / ems(height) : usual_font_size;
}

static double pixels(gboolean is_there, RsvgLength length, double font_size) {
    if (!is_there) return NAN;
    switch (length.unit) {
    case RSVG_UNIT_PX: return length.length;
    case RSVG_UNIT_EM:
    case RSVG_UNIT_EX: return ems(length) * font_size;
    case RSVG_UNIT_IN: return length.length * dots_per_inch;
    case RSVG_UNIT_CM: return length.length * dots_per_inch / 2.54;
    case RSVG_UNIT_MM: return length.length * dots_per_inch / 25.4;
    case RSVG_UNIT_PT: return length.length * dots_per_inch / 72;
    case RSVG_UNIT_PC: return length.length * dots_per_inch / 6;
    default: return NAN;
    }
}

webimage_svg_size webimage_svg_intrinsic_size(webimage_svg *document, bool has_font_size) {
    gboolean has_width = FALSE, has_height = FALSE, has_view_box = FALSE;
    RsvgLength width = {0}, height = {0};
    RsvgRectangle view_box = {0};
    RsvgHandle *handle = (RsvgHandle *)document;
    rsvg_handle_get_intrinsic_dimensions(
        handle, &has_width, &width, &has_height, &height, &has_view_box, &view_box);
    double font_size = has_font_size ? root_font_size(handle, width, height) : usual_font_size;
    return (webimage_svg_size){
        pixels(has_width, width, font_size), pixels(has_height, height, font_size), has_view_box ? view_box.width : NAN,
        has_view_box ? view_box.height : NAN};
}

bool webimage_svg_draw(
    webimage_svg *document, uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
    double scaled_width, double scaled_height, webimage_svg_message *message) {
    GError *error = NULL;
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        rows, CAIRO_FORMAT_ARGB32, (int)width, (int)height, (int)bytes_per_row);
    cairo_t *context = cairo_create(surface);
    RsvgRectangle viewport = {0, 0, scaled_width, scaled_height};
    gboolean is_drawn = rsvg_handle_render_document((RsvgHandle *)document, context, &viewport, &error);
    cairo_destroy(context);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (!is_drawn) take(message, error);
    return is_drawn;
}
