#pragma once

#include <stdbool.h>

/// Calls `each` for every font file that fontconfig knows, and loads its list.
void webimage_each_font_file(void *context, void (*each)(void *context, const char *path));

/// From now on, files are opened by asking on this connection. For the lifetime of the process.
void webimage_ask_for_files(int connection);

/// The error with which the other side refuses a file that the libraries do without.
extern const int webimage_file_refused;
