#pragma once
#include <png.h>
#include <stdbool.h>

// Makes libpng skip chunks that the pixels do not need.
void webimage_png_limit_chunks(png_structp png);

// Sets up the conversion of every kind of pixel to RGBA of 8 or 16 bits. Fails as libpng does.
void webimage_png_convert_to_rgba(png_structp png, png_infop info, bool is_deep);
