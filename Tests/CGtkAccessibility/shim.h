#pragma once

// As in CGtk4: no warnings of what newer versions have deprecated.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_74
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8

// As in CGtk4: flags with their names.
#define __GLIB_H_INSIDE__
#include <glib/gmacros.h>
#undef __GLIB_H_INSIDE__
#undef G_GNUC_FLAG_ENUM
#define G_GNUC_FLAG_ENUM

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
