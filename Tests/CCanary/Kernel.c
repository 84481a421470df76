#define _GNU_SOURCE
#include "Canary.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timex.h>

// The system itself. The arguments are such that nothing happens should a call get through.

CANARY(unshare_user, CALL(SYS_unshare, CLONE_NEWUSER))
CANARY(unshare_network, CALL(SYS_unshare, CLONE_NEWNET))
CANARY(join_namespace, CALL(SYS_setns, targets->file_descriptor, 0))
CANARY(mount_any, CALL(SYS_mount, "none", "/", "nothing", 0L, NULL))
CANARY(unmount, CALL(SYS_umount2, targets->directory, 0))
CANARY(open_file_system, CALL(SYS_fsopen, "nothing", 0))
CANARY(open_tree, CALL(SYS_open_tree, AT_FDCWD, "/", 0))
CANARY(pivot_root, CALL(SYS_pivot_root, targets->file, targets->file))
CANARY(change_root, CALL(SYS_chroot, targets->directory))
CANARY(quotas, CALL(SYS_quotactl, 0x800001 /* Q_SYNC */, "/nothing", 0, NULL))
CANARY(swap_on, CALL(SYS_swapon, "/nothing", 0))
CANARY(swap_off, CALL(SYS_swapoff, "/nothing"))
CANARY(restart_machine, CALL(SYS_reboot, 0, 0, 0, NULL))
CANARY(load_module, CALL(SYS_init_module, NULL, 0L, NULL))
CANARY(load_module_file, CALL(SYS_finit_module, -1, NULL, 0))
CANARY(unload_module, CALL(SYS_delete_module, NULL, 0))
CANARY(load_kernel, CALL(SYS_kexec_load, 0L, 0L, NULL, ~0L))
CANARY(account, CALL(SYS_acct, "/nothing"))
CANARY(name_host, CALL(SYS_sethostname, "x", -1L))
CANARY(name_domain, CALL(SYS_setdomainname, "x", -1L))
CANARY(read_log, CALL(SYS_syslog, 10 /* SYSLOG_ACTION_SIZE_BUFFER */, NULL, 0))
CANARY(make_ring, CALL(SYS_io_uring_setup, 1, memset((char[256]){0}, 0, 256)))
CANARY(key_ring, CALL(SYS_keyctl, 0 /* KEYCTL_GET_KEYRING_ID */, -3 /* session */, 1, 0, 0))
CANARY(add_key, CALL(SYS_add_key, "user", "canary", "x", 1L, -2 /* process */))
CANARY(request_key, CALL(SYS_request_key, "user", "canary", NULL, 0))
CANARY(user_faults, CALL(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */))
CANARY(watch_files, CALL(SYS_fanotify_init, 0, 0))
CANARY(quotas_by_descriptor, CALL(SYS_quotactl_fd, -1, 0, 0, NULL))

static long set_time(webimage_canary_targets *targets) {
    (void)targets;
    struct timeval impossible = {0, -1};
    return CALL(SYS_settimeofday, &impossible, NULL);
}

static long set_clock(webimage_canary_targets *targets) {
    (void)targets;
    struct timespec impossible = {0, -1};
    return CALL(SYS_clock_settime, 0, &impossible);
}

static long adjust_clock(webimage_canary_targets *targets) {
    (void)targets;
    struct timex query = {0};
    return CALL(SYS_adjtimex, &query);
}

static long run_in_kernel(webimage_canary_targets *targets) {
    (void)targets;
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.map_type = BPF_MAP_TYPE_ARRAY;
    attributes.key_size = attributes.value_size = 4;
    attributes.max_entries = 1;
    return CALL(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
}

static long count_events(webimage_canary_targets *targets) {
    (void)targets;
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof attributes, .config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1};
    return CALL(SYS_perf_event_open, &attributes, 0, -1, -1, 0L);
}

#if defined(__x86_64__)
CANARY(ports, CALL(SYS_ioperm, 0x80L, 1L, 1))
CANARY(port_level, CALL(SYS_iopl, 3))
#endif

const webimage_canary webimage_canary_kernel[] = {
    {"unshare CLONE_NEWUSER", unshare_user},
    {"unshare CLONE_NEWNET", unshare_network},
    {"setns", join_namespace},
    {"mount", mount_any},
    {"umount2", unmount},
    {"fsopen", open_file_system},
    {"open_tree", open_tree},
    {"pivot_root", pivot_root},
    {"chroot", change_root},
    {"quotactl", quotas},
    {"quotactl_fd", quotas_by_descriptor},
    {"swapon", swap_on},
    {"swapoff", swap_off},
    {"reboot", restart_machine},
    {"init_module", load_module},
    {"finit_module", load_module_file},
    {"delete_module", unload_module},
    {"kexec_load", load_kernel},
    {"acct", account},
    {"sethostname", name_host},
    {"setdomainname", name_domain},
    {"settimeofday", set_time},
    {"clock_settime", set_clock},
    {"adjtimex", adjust_clock},
    {"syslog", read_log},
    {"io_uring_setup", make_ring},
    {"bpf", run_in_kernel},
    {"perf_event_open", count_events},
    {"keyctl", key_ring},
    {"add_key", add_key},
    {"request_key", request_key},
    {"userfaultfd", user_faults},
    {"fanotify_init", watch_files},
#if defined(__x86_64__)
    {"ioperm", ports},
    {"iopl", port_level},
#endif
    {NULL, NULL},
};
