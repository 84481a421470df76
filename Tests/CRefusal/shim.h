#pragma once

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Environments that allow less, as containers and service managers do: lists of system calls that are refused.

// CLONE_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID and _NEWNET.
#define WEBIMAGE_NAMESPACE_FLAGS 0x7E020000u

static inline struct sock_filter webimage_refusal_step(int code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    return (struct sock_filter){.code = (uint16_t)code, .jt = if_true, .jf = if_false, .k = value};
}

/// From now on a call fails with an error in this process, and in all that it starts; where the error is 0, the call ends the
/// process. Only those calls whose first argument compares so: BPF_JEQ with a value, BPF_JSET with some of its bits; BPF_JGE with
/// 0 is all.
static inline int webimage_refuse_call(long call, int comparison, uint32_t value, int error) {
    struct sock_filter steps[] = {
        webimage_refusal_step(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0),
        webimage_refusal_step(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 3),
        webimage_refusal_step(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args), 0, 0),
        webimage_refusal_step(BPF_JMP | comparison | BPF_K, value, 0, 1),
        webimage_refusal_step(
            BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_KILL_PROCESS, 0, 0),
        webimage_refusal_step(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0),
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof *steps, .filter = steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 0 : errno;
}

/// The calling thread, and what it starts, sees nothing in a folder any more. As root.
static inline int webimage_hide_folder(const char *path) {
    if (syscall(SYS_unshare, 0x20000 /* CLONE_NEWNS */) != 0 || mount(NULL, "/", NULL, (1 << 14) | (1 << 18) /* MS_REC | MS_PRIVATE */, NULL) != 0) return errno;
    return mount("none", path, "tmpfs", 0, NULL) == 0 ? 0 : errno;
}

/// Another process has no descriptor from this number on.
static inline int webimage_limit_descriptors(int process, uint64_t number) {
    const int resource = 7; // RLIMIT_NOFILE
    uint64_t limits[2];
    if (syscall(SYS_prlimit64, process, resource, NULL, limits) != 0) return errno;
    limits[0] = number;
    return syscall(SYS_prlimit64, process, resource, limits, NULL) == 0 ? 0 : errno;
}
