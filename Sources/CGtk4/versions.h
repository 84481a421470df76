#pragma once

// To be included before GTK and GLib.

// The oldest versions that are supported: newer ones do not warn of what they have deprecated since.
#define GLIB_VERSION_MIN_REQUIRED GLIB_VERSION_2_74
#define GDK_VERSION_MIN_REQUIRED GDK_VERSION_4_8

// GLib 2.88 and newer mark flags for the compiler, and Swift then knows none of their names: a mark without meaning.
#define __GLIB_H_INSIDE__
#include <glib/gmacros.h>
#undef __GLIB_H_INSIDE__
#undef G_GNUC_FLAG_ENUM
#define G_GNUC_FLAG_ENUM
