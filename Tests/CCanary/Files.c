#define _GNU_SOURCE
#include "Canary.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>

// Opening files, and what can be done to those that are open.

#define PUBLIC_FILE "/etc/passwd"

CANARY(openat_for_reading, CALL(SYS_openat, AT_FDCWD, PUBLIC_FILE, O_RDONLY))
CANARY(openat_for_writing, CALL(SYS_openat, AT_FDCWD, targets->file, O_WRONLY | O_TRUNC))
CANARY(openat_path_only, CALL(SYS_openat, AT_FDCWD, PUBLIC_FILE, O_PATH))
CANARY(openat_unnamed, CALL(SYS_openat, AT_FDCWD, targets->directory, __O_TMPFILE | O_DIRECTORY | O_RDWR, 0600))
CANARY(openat_process, CALL(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR))
CANARY(openat_environment, CALL(SYS_openat, AT_FDCWD, "/proc/self/environ", O_RDONLY))
CANARY(openat_device, CALL(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR))

static long openat2_any(webimage_canary_targets *targets) {
    (void)targets;
    struct open_how how = {.flags = O_RDONLY};
    return CALL(SYS_openat2, AT_FDCWD, PUBLIC_FILE, &how, sizeof how);
}

static long open_by_handle(webimage_canary_targets *targets) {
    (void)targets;
    struct { unsigned bytes; int type; unsigned char handle[8]; } handle = {8, 1, {0}};
    return CALL(SYS_open_by_handle_at, AT_FDCWD, &handle, O_RDONLY);
}

static long name_to_handle(webimage_canary_targets *targets) {
    struct { unsigned bytes; int type; unsigned char handle[128]; } handle = {128, 0, {0}};
    int mount;
    return CALL(SYS_name_to_handle_at, AT_FDCWD, targets->file, &handle, &mount, 0);
}

static long memory_of_parent(webimage_canary_targets *targets) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)targets->parent);
    return CALL(SYS_openat, AT_FDCWD, path, O_RDWR);
}

#ifdef SYS_open
CANARY(open_for_reading, CALL(SYS_open, PUBLIC_FILE, O_RDONLY))
CANARY(creat_file, CALL(SYS_creat, targets->file, 0600))
#endif

// By descriptors that the worker was given.

CANARY(write_at, CALL(SYS_pwrite64, targets->file_descriptor, "hostile!", 8L, 0L))
CANARY(change_mode_by_descriptor, CALL(SYS_fchmod, targets->file_descriptor, 0777))
CANARY(change_owner_by_descriptor, CALL(SYS_fchown, targets->file_descriptor, 1, 1))
CANARY(truncate_by_descriptor, CALL(SYS_ftruncate, targets->file_descriptor, 0L))
CANARY(allocate_by_descriptor, CALL(SYS_fallocate, targets->file_descriptor, 0, 0L, 1L << 20))
CANARY(change_dates_by_descriptor, CALL(SYS_utimensat, targets->file_descriptor, NULL, NULL, 0))
CANARY(attribute_by_descriptor, CALL(SYS_fsetxattr, targets->file_descriptor, "user.canary", "1", 1L, 0))
CANARY(copy_range, CALL(SYS_copy_file_range, targets->program, NULL, targets->file_descriptor, NULL, 8L, 0))
CANARY(send_file, CALL(SYS_sendfile, targets->file_descriptor, targets->program, NULL, 8L))
CANARY(seal_memory, CALL(SYS_fcntl, targets->program, 1033 /* F_ADD_SEALS */, 1 /* F_SEAL_SEAL */))
CANARY(lock_file, CALL(SYS_flock, targets->file_descriptor, 2 /* LOCK_EX */))
CANARY(own_signals, CALL(SYS_fcntl, targets->file_descriptor, F_SETOWN, targets->parent))
CANARY(close_connection, CALL(SYS_close, targets->connection))
CANARY(steal_input, CALL(SYS_ioctl, targets->terminal, 0x5412 /* TIOCSTI */, "x"))

const webimage_canary webimage_canary_files[] = {
#ifdef SYS_open
    {"open", open_for_reading},
    {"creat", creat_file},
#endif
    {"openat", openat_for_reading},
    {"openat O_TRUNC", openat_for_writing},
    {"openat O_PATH", openat_path_only},
    {"openat O_TMPFILE", openat_unnamed},
    {"openat /proc/self/mem", openat_process},
    {"openat /proc/self/environ", openat_environment},
    {"openat /proc/PARENT/mem", memory_of_parent},
    {"openat /dev/null", openat_device},
    {"openat2", openat2_any},
    {"open_by_handle_at", open_by_handle},
    {"name_to_handle_at", name_to_handle},
    {"pwrite64", write_at},
    {"fchmod", change_mode_by_descriptor},
    {"fchown", change_owner_by_descriptor},
    {"ftruncate", truncate_by_descriptor},
    {"fallocate", allocate_by_descriptor},
    {"futimens", change_dates_by_descriptor},
    {"fsetxattr", attribute_by_descriptor},
    {"copy_file_range", copy_range},
    {"sendfile", send_file},
    {"fcntl F_ADD_SEALS", seal_memory},
    {"fcntl F_SETOWN", own_signals},
    {"flock", lock_file},
    {"close of the connection", close_connection},
    {"ioctl TIOCSTI", steal_input},
    {NULL, NULL},
};
