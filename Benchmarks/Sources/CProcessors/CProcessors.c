#define _GNU_SOURCE

#include "CProcessors.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>

int webimage_use_processors(int count) {
    static cpu_set_t all;
    if (!CPU_COUNT(&all) && sched_getaffinity(0, sizeof all, &all)) return -1;
    cpu_set_t chosen = all;
    for (int processor = 0, left = count; count && processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &all)) continue;
        if (left-- <= 0) CPU_CLR(processor, &chosen);
    }
    DIR *threads = opendir("/proc/self/task");
    if (!threads) return -1;
    // A thread that has ended meanwhile is no failure.
    for (struct dirent *entry; (entry = readdir(threads));) {
        int thread = atoi(entry->d_name);
        if (thread) sched_setaffinity(thread, sizeof chosen, &chosen);
    }
    closedir(threads);
    return 0;
}
