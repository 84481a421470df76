#pragma once

#include "CCanary.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
    const char *name;
    long (*run)(webimage_canary_targets *targets);
} webimage_canary;

/// Ends with one without a name.
extern const webimage_canary webimage_canary_files[], webimage_canary_paths[], webimage_canary_network[],
    webimage_canary_processes[], webimage_canary_memory[], webimage_canary_kernel[], webimage_canary_objects[],
    webimage_canary_undoing[], webimage_canary_resources[];

/// A system call by its number, of up to six arguments: the C library may refuse before the kernel does.
#define CALL(...) result_of(syscall(__VA_ARGS__))

static inline long result_of(long value) { return value < 0 ? -(long)errno : value; }

/// Remembers a success before any further call.
static inline long noted(webimage_canary_targets *targets, long value) {
    if (value >= 0) *targets->success = true;
    return value;
}

/// A canary of one expression.
#define CANARY(function, expression)                                                                                     \
    static long function(webimage_canary_targets *targets) {                                                             \
        (void)targets;                                                                                                   \
        return expression;                                                                                               \
    }
