#include "CBareCodecs.h"

#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

typedef struct {
    const uint8_t *next;
    size_t remaining;
} source;

static int read_bytes(GifFileType *file, GifByteType *buffer, int count) {
    source *from = file->UserData;
    size_t available = (size_t)count < from->remaining ? (size_t)count : from->remaining;
    memcpy(buffer, from->next, available);
    from->next += available;
    from->remaining -= available;
    return (int)available;
}

static void draw(const SavedImage *frame, const ColorMapObject *colors, int transparent, uint32_t *canvas, int width) {
    for (int y = 0; y < frame->ImageDesc.Height; y++) {
        const GifByteType *row = frame->RasterBits + (size_t)y * frame->ImageDesc.Width;
        uint32_t *target = canvas + (size_t)(frame->ImageDesc.Top + y) * width + frame->ImageDesc.Left;
        for (int x = 0; x < frame->ImageDesc.Width; x++) {
            if (row[x] == transparent) continue;
            GifColorType color = colors->Colors[row[x]];
            target[x] = 0xFF000000u | (uint32_t)color.Blue << 16 | (uint32_t)color.Green << 8 | color.Red;
        }
    }
}

size_t webimage_bare_gif(const uint8_t *bytes, size_t count) {
    source from = {bytes, count};
    int error = 0;
    GifFileType *file = DGifOpen(&from, read_bytes, &error);
    if (!file) return 0;
    size_t result = 0;
    size_t size = (size_t)file->SWidth * file->SHeight * 4;
    if (DGifSlurp(file) == GIF_OK) {
        uint32_t *canvas = calloc(1, size);
        for (int index = 0; canvas && index < file->ImageCount; index++) {
            GraphicsControlBlock control = {.TransparentColor = NO_TRANSPARENT_COLOR};
            DGifSavedExtensionToGCB(file, index, &control);
            const SavedImage *frame = &file->SavedImages[index];
            const ColorMapObject *colors = frame->ImageDesc.ColorMap ? frame->ImageDesc.ColorMap : file->SColorMap;
            if (colors) draw(frame, colors, control.TransparentColor, canvas, file->SWidth);
            // Each frame becomes its own buffer.
            uint8_t *shown = malloc(size);
            if (shown) memcpy(shown, canvas, size);
            free(shown);
            result++;
        }
        free(canvas);
    }
    DGifCloseFile(file, &error);
    return result;
}
