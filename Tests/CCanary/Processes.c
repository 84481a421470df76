#define _GNU_SOURCE
#include "Canary.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

// Other processes: signals, tracing, memory, new ones, other programs.

// A process ignores it by default.
static const int mild = SIGURG;

CANARY(signal_parent, CALL(SYS_kill, targets->parent, mild))
CANARY(signal_sibling, CALL(SYS_kill, targets->sibling, mild))
CANARY(signal_all, CALL(SYS_kill, -1, mild))
CANARY(signal_thread, CALL(SYS_tgkill, targets->parent, targets->parent, mild))
CANARY(signal_any_thread, CALL(SYS_tkill, targets->parent, mild))
CANARY(open_process, CALL(SYS_pidfd_open, targets->parent, 0))
CANARY(trace_parent, CALL(SYS_ptrace, PTRACE_SEIZE, targets->parent, 0L, 0L))
CANARY(trace_sibling, CALL(SYS_ptrace, PTRACE_SEIZE, targets->sibling, 0L, 0L))
CANARY(compare_processes, CALL(SYS_kcmp, targets->parent, targets->sibling, 2 /* KCMP_FILES */, 0L, 0L))

static long signal_with_value(webimage_canary_targets *targets) {
    siginfo_t information = {.si_code = SI_QUEUE};
    return CALL(SYS_rt_sigqueueinfo, targets->parent, mild, &information);
}

static long signal_by_descriptor(webimage_canary_targets *targets) {
    long descriptor = CALL(SYS_pidfd_open, targets->parent, 0);
    return descriptor < 0 ? descriptor : CALL(SYS_pidfd_send_signal, (int)descriptor, mild, NULL, 0);
}

static long take_descriptor(webimage_canary_targets *targets) {
    long descriptor = CALL(SYS_pidfd_open, targets->parent, 0);
    return descriptor < 0 ? descriptor : CALL(SYS_pidfd_getfd, (int)descriptor, 0, 0);
}

static long read_memory(webimage_canary_targets *targets) {
    long copy;
    struct iovec to = {&copy, sizeof copy}, from = {&targets->secret, sizeof copy};
    return CALL(SYS_process_vm_readv, targets->parent, &to, 1L, &from, 1L, 0L);
}

static long write_memory(webimage_canary_targets *targets) {
    long value = 666;
    struct iovec from = {&value, sizeof value}, to = {&targets->secret, sizeof value};
    return CALL(SYS_process_vm_writev, targets->parent, &from, 1L, &to, 1L, 0L);
}

// Attempts on the possessions of a sibling: another worker with another picture.

static long read_sibling(webimage_canary_targets *targets) {
    long copy;
    struct iovec to = {&copy, sizeof copy}, from = {&targets->secret, sizeof copy};
    return CALL(SYS_process_vm_readv, targets->sibling, &to, 1L, &from, 1L, 0L);
}

static long take_from_sibling(webimage_canary_targets *targets) {
    long descriptor = CALL(SYS_pidfd_open, targets->sibling, 0);
    return descriptor < 0 ? descriptor : CALL(SYS_pidfd_getfd, (int)descriptor, targets->program, 0);
}

static long open_of_sibling(webimage_canary_targets *targets) {
    char path[48];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)targets->sibling, targets->program);
    return CALL(SYS_openat, AT_FDCWD, path, O_RDWR);
}

// New processes

// The child of a call does nothing. Its end is awaited, so that none is left.
static long end_child(webimage_canary_targets *targets, long process) {
    if (process == 0) _exit(0);
    if (noted(targets, process) > 0) waitpid((pid_t)process, NULL, 0);
    return process;
}

CANARY(clone_process, end_child(targets, CALL(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L)))
CANARY(clone_user, end_child(targets, CALL(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0L, 0L, 0L, 0L)))

static long clone3_process(webimage_canary_targets *targets) {
    struct clone_args arguments = {.exit_signal = SIGCHLD};
    return end_child(targets, CALL(SYS_clone3, &arguments, sizeof arguments));
}

#ifdef SYS_fork
CANARY(fork_process, end_child(targets, CALL(SYS_fork)))

static long vfork_process(webimage_canary_targets *targets) {
    pid_t process = vfork();
    if (process == 0) _exit(0);
    return end_child(targets, process < 0 ? -errno : process);
}
#endif

// Other programs

static long execute(webimage_canary_targets *targets) {
    (void)targets;
    char *arguments[] = {"true", NULL};
    return CALL(SYS_execve, "/bin/true", arguments, arguments + 1);
}

static long execute_memory(webimage_canary_targets *targets) {
    char *arguments[] = {"true", NULL};
    return CALL(SYS_execveat, targets->program, "", arguments, arguments + 1, AT_EMPTY_PATH);
}

const webimage_canary webimage_canary_processes[] = {
    {"kill parent", signal_parent},
    {"kill sibling", signal_sibling},
    {"kill -1", signal_all},
    {"tgkill", signal_thread},
    {"tkill", signal_any_thread},
    {"rt_sigqueueinfo", signal_with_value},
    {"pidfd_open", open_process},
    {"pidfd_send_signal", signal_by_descriptor},
    {"pidfd_getfd", take_descriptor},
    {"ptrace parent", trace_parent},
    {"ptrace sibling", trace_sibling},
    {"kcmp", compare_processes},
    {"process_vm_readv", read_memory},
    {"process_vm_writev", write_memory},
    {"process_vm_readv of a sibling", read_sibling},
    {"pidfd_getfd of a sibling", take_from_sibling},
    {"openat a buffer of a sibling", open_of_sibling},
    {"clone", clone_process},
    {"clone CLONE_NEWUSER", clone_user},
    {"clone3", clone3_process},
#ifdef SYS_fork
    {"fork", fork_process},
    {"vfork", vfork_process},
#endif
    {"execve", execute},
    {"execveat", execute_memory},
    {NULL, NULL},
};
