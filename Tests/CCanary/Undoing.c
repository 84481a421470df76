#define _GNU_SOURCE
#include "Canary.h"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// Leaving the sandbox: its limits, its filters, its rights.

CANARY(dumpable, CALL(SYS_prctl, PR_SET_DUMPABLE, 1L, 0L, 0L, 0L))
CANARY(tracer, CALL(SYS_prctl, PR_SET_PTRACER, -1L, 0L, 0L, 0L))
CANARY(outlive_parent, CALL(SYS_prctl, PR_SET_PDEATHSIG, 0L, 0L, 0L, 0L))
CANARY(adopt_orphans, CALL(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L))
CANARY(keep_rights, CALL(SYS_prctl, PR_SET_KEEPCAPS, 1L, 0L, 0L, 0L))
CANARY(strict_mode, CALL(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0L, 0L, 0L))
CANARY(memory_map, CALL(SYS_prctl, PR_SET_MM, 1L, 0L, 0L, 0L))
CANARY(speculation, CALL(SYS_prctl, PR_SET_SPECULATION_CTRL, 0L, 8L /* PR_SPEC_FORCE_DISABLE */, 0L, 0L))
CANARY(other_user, CALL(SYS_setresuid, 0, 0, 0))
CANARY(other_group, CALL(SYS_setresgid, 0, 0, 0))
CANARY(other_groups, CALL(SYS_setgroups, 0L, NULL))
CANARY(new_session, CALL(SYS_setsid))
CANARY(personality, CALL(SYS_personality, 0x0400000L /* READ_IMPLIES_EXEC */))
CANARY(landlock, CALL(444 /* landlock_create_ruleset */, NULL, 0L, 1))
CANARY(priority, CALL(SYS_setpriority, PRIO_PROCESS, 0, -20))
CANARY(disk_priority, CALL(SYS_ioprio_set, 1, 0, 0))
CANARY(signal_handling, CALL(SYS_rt_sigaction, 24 /* SIGXCPU */, NULL, NULL, 8L))

static long filter_again(webimage_canary_targets *targets) {
    (void)targets;
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = 1, .filter = &allow};
    return CALL(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static long raise_limit(webimage_canary_targets *targets) {
    (void)targets;
    struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    return CALL(SYS_prlimit64, 0, RLIMIT_CORE, &none, NULL);
}

static long limit_parent(webimage_canary_targets *targets) {
    struct rlimit found;
    return CALL(SYS_prlimit64, targets->parent, RLIMIT_NOFILE, NULL, &found);
}

static long take_capabilities(webimage_canary_targets *targets) {
    (void)targets;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct chroot[2] = {{.effective = 1u << CAP_SYS_CHROOT, .permitted = 1u << CAP_SYS_CHROOT}};
    return CALL(SYS_capset, &header, chroot);
}

static long real_time(webimage_canary_targets *targets) {
    (void)targets;
    struct sched_param highest = {.sched_priority = 99};
    return CALL(SYS_sched_setscheduler, 0, SCHED_FIFO, &highest);
}

const webimage_canary webimage_canary_undoing[] = {
    {"prctl PR_SET_DUMPABLE", dumpable},
    {"prctl PR_SET_PTRACER", tracer},
    {"prctl PR_SET_PDEATHSIG", outlive_parent},
    {"prctl PR_SET_CHILD_SUBREAPER", adopt_orphans},
    {"prctl PR_SET_KEEPCAPS", keep_rights},
    {"prctl PR_SET_SECCOMP", strict_mode},
    {"prctl PR_SET_MM", memory_map},
    {"prctl PR_SET_SPECULATION_CTRL", speculation},
    {"seccomp", filter_again},
    {"landlock_create_ruleset", landlock},
    {"prlimit64 upwards", raise_limit},
    {"prlimit64 of the parent", limit_parent},
    {"capset", take_capabilities},
    {"setresuid", other_user},
    {"setresgid", other_group},
    {"setgroups", other_groups},
    {"setsid", new_session},
    {"personality", personality},
    {"setpriority", priority},
    {"ioprio_set", disk_priority},
    {"sched_setscheduler", real_time},
    {"rt_sigaction", signal_handling},
    {NULL, NULL},
};
