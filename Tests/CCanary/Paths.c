#define _GNU_SOURCE
#include "Canary.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>

// Attempts on files by their paths.

static const char *in_directory(webimage_canary_targets *targets, const char *name) {
    static char path[320];
    snprintf(path, sizeof path, "%s/%s", targets->directory, name);
    return path;
}

CANARY(change_mode, CALL(SYS_fchmodat, AT_FDCWD, targets->file, 0777))
CANARY(change_owner, CALL(SYS_fchownat, AT_FDCWD, targets->file, 1, 1, 0))
CANARY(change_dates, CALL(SYS_utimensat, AT_FDCWD, targets->file, NULL, 0))
CANARY(remove_file, CALL(SYS_unlinkat, AT_FDCWD, targets->file, 0))
CANARY(rename_file, CALL(SYS_renameat2, AT_FDCWD, targets->file, AT_FDCWD, in_directory(targets, "renamed"), 0))
CANARY(link_file, CALL(SYS_linkat, AT_FDCWD, targets->file, AT_FDCWD, in_directory(targets, "linked"), 0))
CANARY(symbolic_link, CALL(SYS_symlinkat, "/etc/passwd", AT_FDCWD, in_directory(targets, "symbolic")))
CANARY(make_directory, CALL(SYS_mkdirat, AT_FDCWD, in_directory(targets, "made"), 0700))
CANARY(make_node, CALL(SYS_mknodat, AT_FDCWD, in_directory(targets, "node"), S_IFIFO | 0600, 0))
CANARY(truncate_file, CALL(SYS_truncate, targets->file, 0L))
CANARY(set_attribute, CALL(SYS_setxattr, targets->file, "user.canary", "1", 1L, 0))
CANARY(list_attributes, CALL(SYS_listxattr, targets->file, NULL, 0L))
CANARY(has_access, CALL(SYS_faccessat, AT_FDCWD, "/etc/passwd", R_OK))
CANARY(go_to_directory, CALL(SYS_chdir, targets->directory))

static long status(webimage_canary_targets *targets) {
    (void)targets;
    struct stat state;
    return CALL(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &state, 0);
}

static long extended_status(webimage_canary_targets *targets) {
    (void)targets;
    struct statx state;
    return CALL(SYS_statx, AT_FDCWD, "/etc/passwd", 0, STATX_BASIC_STATS, &state);
}

static long status_of_system(webimage_canary_targets *targets) {
    (void)targets;
    struct statfs state;
    return CALL(SYS_statfs, "/", &state);
}

static long read_link(webimage_canary_targets *targets) {
    (void)targets;
    char path[64];
    return CALL(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path);
}

static long working_directory(webimage_canary_targets *targets) {
    (void)targets;
    char path[4096];
    long count = CALL(SYS_getcwd, path, sizeof path);
    // An empty root has no name but "/", and one outside is "(unreachable)".
    return count > 0 && (path[0] != '/' || path[1] == 0) ? -ENOENT : count;
}

const webimage_canary webimage_canary_paths[] = {
    {"chmod", change_mode},
    {"chown", change_owner},
    {"utimensat", change_dates},
    {"unlink", remove_file},
    {"rename", rename_file},
    {"link", link_file},
    {"symlink", symbolic_link},
    {"mkdir", make_directory},
    {"mknod", make_node},
    {"truncate", truncate_file},
    {"setxattr", set_attribute},
    {"listxattr", list_attributes},
    {"access", has_access},
    {"stat", status},
    {"statx", extended_status},
    {"statfs", status_of_system},
    {"readlink", read_link},
    {"getcwd", working_directory},
    {"chdir", go_to_directory},
    {NULL, NULL},
};
