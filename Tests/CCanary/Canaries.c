#include "Canary.h"

static const webimage_canary *const groups[] = {
    webimage_canary_files,  webimage_canary_paths,  webimage_canary_network, webimage_canary_processes, webimage_canary_memory,
    webimage_canary_kernel, webimage_canary_objects, webimage_canary_undoing, webimage_canary_resources,
};

static const webimage_canary *at(size_t index) {
    for (size_t group = 0; group < sizeof groups / sizeof *groups; group++) {
        for (const webimage_canary *canary = groups[group]; canary->name; canary++) {
            if (index-- == 0) return canary;
        }
    }
    return NULL;
}

size_t webimage_canary_count(void) {
    size_t count = 0;
    while (at(count)) count++;
    return count;
}

const char *webimage_canary_name(size_t index) {
    const webimage_canary *canary = at(index);
    return canary ? canary->name : NULL;
}

long webimage_canary_run(size_t index, webimage_canary_targets *targets) { return at(index)->run(targets); }
