#include "CFontBroker.h"

#include <fontconfig/fontconfig.h>
#include <stddef.h>

static void each_of(FcFontSet *fonts, void *context, void (*each)(void *, const char *)) {
    for (int index = 0; fonts && index < fonts->nfont; index++) {
        FcChar8 *path = NULL;
        if (FcPatternGetString(fonts->fonts[index], FC_FILE, 0, &path) == FcResultMatch) each(context, (char *)path);
    }
}

void webimage_each_font_file(void *context, void (*each)(void *context, const char *path)) {
    if (!FcInit()) return;
    each_of(FcConfigGetFonts(NULL, FcSetSystem), context, each);
    each_of(FcConfigGetFonts(NULL, FcSetApplication), context, each);
}
