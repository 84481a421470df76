#pragma once
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// From now on, text that libraries write to C's standard error is dropped: one tells of fields that it skips, and
// Pango of fonts that it lacks. The descriptor stays, for the program's own lines. Call it before other threads begin.
static inline void webimage_silence_libraries(void) {
    FILE *nowhere = fopen("/dev/null", "we");
    if (nowhere) stderr = nowhere;
}

static inline void *webimage_wait_for_lock(void *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

// Whether so many threads can be there at a time. Dispatch waits without an end for one that cannot be started.
static inline bool webimage_can_start_threads(int count) {
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    pthread_attr_t attributes;
    if (!threads || pthread_attr_init(&attributes) != 0) {
        free(threads);
        return false;
    }
    pthread_attr_setstacksize(&attributes, 1 << 16);
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    int started = 0;
    while (started < count && pthread_create(&threads[started], &attributes, webimage_wait_for_lock, &lock) == 0) started++;
    pthread_mutex_unlock(&lock);
    for (int index = 0; index < started; index++) pthread_join(threads[index], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    return started == count;
}
