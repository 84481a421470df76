#include "Calls.h"

#include <dlfcn.h>

struct webimage_calls webimage_calls;

// Each finds the functions of those that it stands on, too. They stay for ever, as GStreamer does.
static const char *const libraries[] = {"libgstapp-1.0.so.0", "libgstvideo-1.0.so.0"};

static void *found(const char *name, void *const *handles) {
    for (size_t index = 0; index < G_N_ELEMENTS(libraries); index++) {
        void *address = dlsym(handles[index], name);
        if (address) return address;
    }
    return NULL;
}

const char *webimage_calls_find(void) {
    void *handles[G_N_ELEMENTS(libraries)];
    for (size_t index = 0; index < G_N_ELEMENTS(libraries); index++) {
        handles[index] = dlopen(libraries[index], RTLD_NOW | RTLD_LOCAL);
        if (!handles[index]) return dlerror();
    }
#define FIND(name) \
    if (!(webimage_calls.name = (__typeof__(webimage_calls.name))found(#name, handles))) return "it is too old: no " #name;
    WEBIMAGE_CALLS(FIND)
#undef FIND
    return NULL;
}
