#pragma once
#include "../../Sources/CGtk4/versions.h"

#include <gtk/gtk.h>

// A widget's accessible properties can be compared by variadic functions only, which Swift cannot call. Each wrapper
// returns NULL for the expected value, else the value as text, to be freed.
static inline char *webimage_check_label(GtkWidget *widget, const char *label) {
    return gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label);
}

static inline char *webimage_check_value(GtkWidget *widget, double value) {
    return gtk_test_accessible_check_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value);
}

static inline char *webimage_check_state(GtkWidget *widget, GtkAccessibleState state, gboolean value) {
    return gtk_test_accessible_check_state(GTK_ACCESSIBLE(widget), state, value);
}

// Labels one widget by another one.
static inline void webimage_label_by(GtkWidget *widget, GtkWidget *label) {
    gtk_accessible_update_relation(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
}
