#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

// glibc 2.34. Where it is missing, the program closes what it was not meant to have.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from)
    __attribute__((weak));

// For the standard streams. Where a chroot has no /dev/null: a counter, which has nothing to read, and refuses texts.
static int open_nowhere(void) {
    int file = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (file < 0) file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    // Beyond the numbers that the program gets, which replace each other.
    int result = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, WEBIMAGE_COMPANION_CONTROL + 1);
    int error = errno;
    if (file >= 0) close(file);
    errno = error;
    return result;
}

static int describe(posix_spawn_file_actions_t *actions, int control, int nowhere) {
    int error = posix_spawn_file_actions_adddup2(actions, control, WEBIMAGE_COMPANION_CONTROL);
    for (int stream = 0; stream < 3 && !error; stream++) {
        error = posix_spawn_file_actions_adddup2(actions, nowhere, stream);
    }
    if (!error && posix_spawn_file_actions_addclosefrom_np) {
        error = posix_spawn_file_actions_addclosefrom_np(actions, WEBIMAGE_COMPANION_CONTROL + 1);
    }
    return error;
}

// No signal is blocked or ignored.
static int prepare(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    const short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    return error ? error : posix_spawnattr_setflags(attributes, flags);
}

// Large blocks in huge pages, where glibc (2.35) and the kernel offer that: planes of pixels are new memory in each process, and
// their first touch would take as long as a part of the decode.
#define HUGE_BLOCKS "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"

// A copy of the environment with that, unless it has settings already; NULL where there is no memory.
static char **make_environment(void) {
    size_t count = 0;
    while (environ[count]) count++;
    char **copy = malloc((count + 2) * sizeof *copy);
    if (!copy) return NULL;
    memcpy(copy, environ, count * sizeof *copy);
    copy[count] = getenv("GLIBC_TUNABLES") ? NULL : HUGE_BLOCKS;
    copy[count + 1] = NULL;
    return copy;
}

static int start(const char *path, int control, int nowhere, int *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = describe(&actions, control, nowhere);
        if (!error) error = prepare(&attributes);
        char *arguments[] = {(char *)path, NULL};
        char **environment = make_environment();
        if (!error) {
            error = posix_spawn(process, path, &actions, &attributes, arguments, environment ? environment : environ);
        }
        free(environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int webimage_start_companion(const char *path, int control, int *process) {
    int nowhere = open_nowhere();
    if (nowhere < 0) return errno;
    int error = start(path, control, nowhere, process);
    close(nowhere);
    return error;
}

void webimage_use_huge_pages(bool uses) { prctl(PR_SET_THP_DISABLE, !uses, 0, 0, 0); }

int webimage_open_process(int process) {
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    return descriptor < 0 ? -errno : descriptor;
}

int webimage_signal_process(int descriptor, int number) {
    return syscall(SYS_pidfd_send_signal, descriptor, number, NULL, 0) == 0 ? 0 : errno;
}

int webimage_wait_for_either(int first, int second, int milliseconds) {
    struct pollfd states[] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
    int count;
    do count = poll(states, 2, milliseconds);
    while (count < 0 && errno == EINTR);
    if (count <= 0) return 0;
    return (states[0].revents != 0) | (states[1].revents != 0) << 1;
}
