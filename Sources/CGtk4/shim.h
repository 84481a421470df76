#pragma once
#include <glib-unix.h>
#include <gtk/gtk.h>

// The main queue's event descriptor and its drain, exported by libdispatch for main loops that are not its own.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

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
    // What the widget asks for while it shows nothing; -1 while it shows something.
    GtkRequisition blank;
} WebImageIndicatorLayout;
typedef struct {
    GtkLayoutManagerClass parent_class;
} WebImageIndicatorLayoutClass;

// G_TYPE_OBJECT is a cast macro, which Swift does not import.
static const GType WEBIMAGE_TYPE_OBJECT = G_TYPE_OBJECT;
