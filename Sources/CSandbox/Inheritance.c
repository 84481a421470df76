#define _GNU_SOURCE
#include "CSandbox.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

void webimage_sandbox_clear_environment(void) {
    for (char **entry = environ; entry && *entry; entry++) explicit_bzero(*entry, strlen(*entry));
    clearenv();
}

void webimage_sandbox_reset_signals(void) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    // A connection whose other side has ended is an error of write().
    signal(SIGPIPE, SIG_IGN);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// close_range(2) is of Linux 5.9, and of headers that are newer than Debian 11's.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

// Kernels without close_range(2) list what is open; a hard limit may be a thousand million.
static int close_listed(unsigned first, unsigned last) {
    DIR *list = opendir("/proc/self/fd");
    if (!list) return errno;
    for (struct dirent *entry; (entry = readdir(list));) {
        char *end;
        unsigned long descriptor = strtoul(entry->d_name, &end, 10);
        bool is_number = end != entry->d_name && *end == 0;
        if (is_number && descriptor >= first && descriptor <= last && (int)descriptor != dirfd(list)) {
            close((int)descriptor);
        }
    }
    closedir(list);
    return 0;
}

static int close_from(unsigned first, unsigned last) {
    if (first > last || syscall(SYS_close_range, first, last, 0) == 0) return 0;
    return close_listed(first, last);
}

int webimage_sandbox_close_descriptors(const int *kept, size_t count) {
    unsigned first = 0;
    for (size_t index = 0; index < count; index++) {
        unsigned next = (unsigned)kept[index];
        int error = next > first ? close_from(first, next - 1) : 0;
        if (error) return error;
        first = next + 1;
    }
    return close_from(first, ~0u);
}
