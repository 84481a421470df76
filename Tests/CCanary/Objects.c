#define _GNU_SOURCE
#include "Canary.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ipc.h>
#include <time.h>

// Things of the kernel that a process can make: memory, queues, timers, descriptors.

CANARY(memory_file, CALL(SYS_memfd_create, "canary", 0))
CANARY(secret_memory, CALL(447 /* memfd_secret */, 0))
CANARY(watcher, CALL(SYS_inotify_init1, 0))
CANARY(timer, CALL(SYS_timerfd_create, CLOCK_MONOTONIC, 0))
CANARY(event, CALL(SYS_eventfd2, 0, 0))
CANARY(poll_set, CALL(SYS_epoll_create1, 0))
CANARY(duplicate, CALL(SYS_dup3, 1, 1000, 0))
CANARY(duplicate_by_control, CALL(SYS_fcntl, 1, F_DUPFD, 500))
CANARY(duplicate_any, CALL(SYS_dup, 1))

static long pipe_ends(webimage_canary_targets *targets) {
    (void)targets;
    int ends[2];
    return CALL(SYS_pipe2, ends, 0);
}

static long signals(webimage_canary_targets *targets) {
    (void)targets;
    unsigned long set = 1UL << (SIGUSR1 - 1);
    return CALL(SYS_signalfd4, -1, &set, sizeof set, 0);
}

static long process_timer(webimage_canary_targets *targets) {
    (void)targets;
    int identifier;
    return CALL(SYS_timer_create, CLOCK_MONOTONIC, NULL, &identifier);
}

static long shared_memory(webimage_canary_targets *targets) {
    long identifier = noted(targets, CALL(SYS_shmget, IPC_PRIVATE, 4096L, IPC_CREAT | 0600));
    if (identifier >= 0) syscall(SYS_shmctl, identifier, IPC_RMID, NULL);
    return identifier;
}

static long semaphores(webimage_canary_targets *targets) {
    long identifier = noted(targets, CALL(SYS_semget, IPC_PRIVATE, 1, IPC_CREAT | 0600));
    if (identifier >= 0) syscall(SYS_semctl, identifier, 0, IPC_RMID, 0L);
    return identifier;
}

static long message_queue(webimage_canary_targets *targets) {
    long identifier = noted(targets, CALL(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600));
    if (identifier >= 0) syscall(SYS_msgctl, identifier, IPC_RMID, NULL);
    return identifier;
}

static long named_queue(webimage_canary_targets *targets) {
    long descriptor = noted(targets, CALL(SYS_mq_open, targets->name, O_CREAT | O_RDWR, 0600, NULL));
    if (descriptor >= 0) syscall(SYS_mq_unlink, targets->name);
    return descriptor;
}

const webimage_canary webimage_canary_objects[] = {
    {"memfd_create", memory_file},
    {"memfd_secret", secret_memory},
    {"inotify_init1", watcher},
    {"timerfd_create", timer},
    {"timer_create", process_timer},
    {"signalfd4", signals},
    {"eventfd2", event},
    {"epoll_create1", poll_set},
    {"pipe2", pipe_ends},
    {"dup", duplicate_any},
    {"dup3 to 1000", duplicate},
    {"fcntl F_DUPFD", duplicate_by_control},
    {"shmget", shared_memory},
    {"semget", semaphores},
    {"msgget", message_queue},
    {"mq_open", named_queue},
    {NULL, NULL},
};
