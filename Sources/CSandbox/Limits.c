#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

bool webimage_sandbox_has_sanitizer(void) { return __asan_init || __tsan_init; }

static int set(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    // A hard limit that is lower already cannot be raised.
    if (hard < limit.rlim_max) limit.rlim_max = hard;
    limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

static bool has_room_within(uint64_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes;
    if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
    void *page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED) munmap(page, 1);
    return page != MAP_FAILED;
}

// Bytes; 0 without /proc, which a chroot may lack.
static uint64_t told_address_space(void) {
    char text[32] = {0};
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 ? strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

// The limit that is just enough: found by trying, in a tenth of a millisecond.
static uint64_t tried_address_space(void) {
    // The stack cannot grow while the limit is too low.
    volatile char stack[1 << 14];
    stack[0] = 0;
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    uint64_t low = 0, high = (uint64_t)1 << 47, page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (limit.rlim_max < high) high = limit.rlim_max;
    while (high - low > page) {
        uint64_t middle = low + (high - low) / 2;
        if (has_room_within(middle)) high = middle;
        else low = middle;
    }
    return high;
}

uint64_t webimage_sandbox_address_space(void) {
    uint64_t told = told_address_space();
    return told ? told : tried_address_space();
}

int webimage_sandbox_set_limits(const webimage_sandbox_limits *limits) {
    int error = webimage_sandbox_has_sanitizer() ? 0 : set(RLIMIT_AS, limits->memory, limits->memory);
    // SIGKILL at once, and no SIGXCPU before: the first process of a namespace ignores that. Its use of time tells why.
    if (!error) error = set(RLIMIT_CPU, limits->processor_seconds, limits->processor_seconds);
    if (!error) error = set(RLIMIT_NOFILE, limits->descriptors, limits->descriptors);
    if (!error && limits->processes != UINT64_MAX) error = set(RLIMIT_NPROC, limits->processes, limits->processes);
    const int unused[] = {RLIMIT_FSIZE,    RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE,
                          RLIMIT_SIGPENDING, RLIMIT_NICE, RLIMIT_RTPRIO};
    for (size_t index = 0; index < sizeof unused / sizeof *unused && !error; index++) error = set(unused[index], 0, 0);
    if (!error) error = set(RLIMIT_STACK, 8 << 20, 8 << 20);
    return error;
}
