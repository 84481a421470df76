#pragma once
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// For GNU sources only.
static const int webimage_open_place = __O_PATH;

// Opens a file below a folder for reading. The kernel refuses a path that leads out of the folder, whatever links it has
// (RESOLVE_BENEATH), and those of /proc (RESOLVE_NO_MAGICLINKS). O_NONBLOCK: a pipe without a writer opens at once. openat2()
// has no function in the C library; its number, 437, is the same for all architectures.
static inline int webimage_open_beneath(int folder, const char *path) {
    struct {
        uint64_t flags, mode, resolve;
    } how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, .resolve = 0x08 | 0x02};
    return (int)syscall(437, folder, path, &how, sizeof how);
}
