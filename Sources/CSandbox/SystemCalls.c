#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Filter.h"

// The system calls that a decoder has: a list of allowed calls, so that a call of a newer kernel is not on it.
//
// Not libseccomp: it is one more library to install, takes longer to make its program than the kernel to check it, and saves
// a file of a hundred lines.

#define FAIL(error) (SECCOMP_RET_ERRNO | (error))
#define ALLOW SECCOMP_RET_ALLOW
#define KILL SECCOMP_RET_KILL_PROCESS
#define COUNT(rules) (sizeof(rules) / sizeof *(rules))

// Headers of Debian 11 lack these.
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif

static void append(webimage_filter *filter, const webimage_filter_rule *rules, size_t count) {
    for (size_t index = 0; index < count; index++) webimage_filter_append(filter, &rules[index]);
}

static void append_all(webimage_filter *filter, const long *calls, size_t count, uint32_t answer) {
    for (size_t index = 0; index < count; index++) {
        webimage_filter_append(filter, &(webimage_filter_rule){.call = calls[index], .answer = answer});
    }
}

// The most frequent ones first: the kernel goes through a list.
static const long harmless[] = {
    SYS_futex, SYS_read, SYS_write, SYS_munmap, SYS_madvise, SYS_brk, SYS_mremap, SYS_readv, SYS_writev, SYS_pread64,
    SYS_lseek, SYS_fstat, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_getrandom, SYS_getpid, SYS_gettid, SYS_sysinfo, SYS_rt_sigprocmask, SYS_rt_sigreturn,
    SYS_restart_syscall, SYS_exit, SYS_exit_group,
#ifdef SYS_time
    SYS_time,
#endif
};

// Libraries look for files, and do without: a configuration, a locale, the number of processors.
static const long searches[] = {
    SYS_openat, SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd, SYS_socket,
#ifdef SYS_open
    SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
#endif
};

// glibc and Rust try these, and take another way. The flags of clone3 are behind a pointer, which no filter reads.
static const long newer[] = {SYS_clone3, SYS_membarrier};

static void append_memory(webimage_filter *filter, unsigned allowances) {
    const uint32_t anonymous = allowances & WEBIMAGE_SANDBOX_MESSAGES ? 0 : MAP_ANONYMOUS;
    const webimage_filter_rule rules[] = {
        // No code: bytes that a picture brings stay bytes.
        {SYS_mmap, ALLOW, {{2, false, PROT_EXEC, 0}, {3, false, anonymous, anonymous}}, FAIL(EACCES)},
        {SYS_mprotect, ALLOW, {{2, false, PROT_EXEC, 0}}, FAIL(EACCES)},
    };
    append(filter, rules, COUNT(rules));
}

static void append_settings(webimage_filter *filter) {
    const uint32_t all = ~0u, own = (uint32_t)getpid();
    const webimage_filter_rule rules[] = {
        // Names of threads.
        {SYS_prctl, ALLOW, {{0, false, all, PR_SET_NAME}}, FAIL(EPERM)},
        // Reading one's own limits: there is no new value.
        {SYS_prlimit64, ALLOW, {{0, false, all, 0}, {2, false, all, 0}, {2, true, all, 0}}, FAIL(EPERM)},
        {SYS_fcntl, ALLOW, {{1, false, all, F_GETFL}}, FAIL(EPERM)},
        // isatty()
        {SYS_ioctl, FAIL(ENOTTY), {{0}}, 0},
        // GLib asks whether messages go to the journal.
        {SYS_getpeername, FAIL(ENOTSOCK), {{0}}, 0},
        // pthread_create does without.
        {SYS_rt_sigaction, FAIL(EPERM), {{0}}, 0},
        // abort(), so that the parent sees how it ended.
        {SYS_tgkill, ALLOW, {{0, false, all, own}, {2, false, all, SIGABRT}}, KILL},
    };
    append(filter, rules, COUNT(rules));
}

static void append_threads(webimage_filter *filter, unsigned allowances) {
    static const long starts[] = {SYS_set_robust_list, SYS_rseq};
    // The flags of glibc's pthread_create, and no other combination: no process, no namespace.
    const uint32_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS
        | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
    bool are_allowed = allowances & WEBIMAGE_SANDBOX_THREADS;
    const webimage_filter_rule rule = {SYS_clone, ALLOW, {{0, false, ~0u, thread}}, FAIL(EPERM)};
    if (are_allowed) webimage_filter_append(filter, &rule);
    // The error of pthread_create for too many threads.
    else webimage_filter_append(filter, &(webimage_filter_rule){.call = SYS_clone, .answer = FAIL(EAGAIN)});
    append_all(filter, starts, COUNT(starts), are_allowed ? ALLOW : FAIL(ENOSYS));
}

// A worker sends by write(), which has neither descriptors nor flags. Out-of-band data, peeks at messages with descriptors,
// and descriptors in cycles are where the kernel's sockets have had faults (CVE-2025-38236, CVE-2021-0920).
static void append_messages(webimage_filter *filter, unsigned allowances) {
    const uint32_t others = ~(uint32_t)(MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    const webimage_filter_rule receive = {SYS_recvmsg, ALLOW, {{2, false, others, 0}}, KILL};
    if (allowances & WEBIMAGE_SANDBOX_MESSAGES) webimage_filter_append(filter, &receive);
}

// GStreamer wakes its threads by pairs of sockets. Only streams: a message on another kind could name a receiver.
static void append_waits(webimage_filter *filter, unsigned allowances) {
    if (!(allowances & WEBIMAGE_SANDBOX_WAITS)) return;
    static const long waits[] = {
        SYS_ppoll, SYS_clock_nanosleep, SYS_nanosleep,
        // GLib's random numbers, where there is no /dev/urandom.
        SYS_getppid,
#ifdef SYS_poll
        SYS_poll,
#endif
    };
    // GLib asks how threads are scheduled, to start others in the same way, and does without.
    static const long scheduling[] = {SYS_sched_getattr, SYS_sched_setattr};
    const uint32_t type = ~(uint32_t)(SOCK_CLOEXEC | SOCK_NONBLOCK);
    const webimage_filter_rule pair = {
        SYS_socketpair, ALLOW, {{0, false, ~0u, AF_UNIX}, {1, false, type, SOCK_STREAM}}, FAIL(EACCES)};
    append_all(filter, waits, COUNT(waits), ALLOW);
    append_all(filter, scheduling, COUNT(scheduling), FAIL(EPERM));
    webimage_filter_append(filter, &pair);
}

// A connection ends with its process only: the other side need not find out whether a process lives on behind it.
static void append_closing(webimage_filter *filter, int connection) {
    webimage_filter_rule rule = {SYS_close, KILL, {{0, false, ~0u, (uint32_t)connection}}, ALLOW};
    if (connection < 0) rule = (webimage_filter_rule){.call = SYS_close, .answer = ALLOW};
    webimage_filter_append(filter, &rule);
}

bool webimage_sandbox_has_filter(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) > 0; }

int webimage_sandbox_filter_system_calls(unsigned allowances, int connection) {
    // All readable pages would be code, whatever a call asks for.
    if (personality(personality(~0ul) & ~(unsigned long)READ_IMPLIES_EXEC) < 0) return errno;
    webimage_filter filter;
    webimage_filter_begin(&filter);
    append_memory(&filter, allowances);
    append_all(&filter, harmless, COUNT(harmless), ALLOW);
    append_closing(&filter, connection);
    append_messages(&filter, allowances);
    append_threads(&filter, allowances);
    append_waits(&filter, allowances);
    append_settings(&filter);
    append_all(&filter, searches, COUNT(searches), FAIL(EACCES));
    append_all(&filter, newer, COUNT(newer), FAIL(ENOSYS));
    webimage_filter_end(&filter, KILL);
    return webimage_filter_install(&filter);
}
