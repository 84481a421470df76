#pragma once
#include "versions.h"

#include <epoxy/gl.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <stdio.h>
#include <unistd.h>

#include "newer.h"

// The main queue's event descriptor and its drain, exported by libdispatch for main loops that are not its own.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

// The renderer name of the OpenGL context that is current on this thread. glGetString is a macro.
static inline const char *webimage_gl_renderer(void) { return (const char *)glGetString(GL_RENDERER); }

// Writes the lines of GLib and GTK to standard error itself: C's stream may be closed to libraries.
static inline GLogWriterOutput webimage_write_log(
    GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
    (void)data;
    if (g_log_writer_default_would_drop(level, NULL)) return G_LOG_WRITER_HANDLED;
    char *text = g_log_writer_format_fields(level, fields, count, FALSE);
    dprintf(STDERR_FILENO, "%s\n", text);
    g_free(text);
    return G_LOG_WRITER_HANDLED;
}
static inline void webimage_write_logs_unbuffered(void) { g_log_set_writer_func(webimage_write_log, NULL, NULL); }

// Whether a widget with an accessible label has the label `label`. GTK's own function for it is variadic.
static inline gboolean webimage_is_called(GtkWidget *widget, const char *label) {
    char *difference =
        gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label);
    g_free(difference);
    return difference == NULL;
}

// Instance and class structs of the GObject types that are registered from Swift.
typedef struct {
    GObject parent_instance;
    void *swift_object;
} WebImagePaintable;
typedef struct {
    GObjectClass parent_class;
} WebImagePaintableClass;

typedef struct {
    GtkLayoutManager parent_instance;
    GtkWidget *indicator;
    // The requisition while the widget is empty; -1 while it shows something.
    GtkRequisition blank;
} WebImageIndicatorLayout;
typedef struct {
    GtkLayoutManagerClass parent_class;
} WebImageIndicatorLayoutClass;

// G_TYPE_OBJECT is a cast macro, which Swift does not import.
static const GType WEBIMAGE_TYPE_OBJECT = G_TYPE_OBJECT;
