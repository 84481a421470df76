#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Namespaces.h"

int webimage_sandbox_clone_flags(unsigned namespaces) {
    const int flags[] = {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWNS};
    int result = 0;
    for (unsigned index = 0; index < sizeof flags / sizeof *flags; index++) {
        if (namespaces & 1u << index) result |= flags[index];
    }
    return result;
}

static void write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    if (write(file, text, strlen(text)) < 0) errno = 0;
    close(file);
}

// A user without a number in its namespace may not make namespaces for its children. user_namespaces(7): a group needs
// setgroups denied first.
static void keep_names(uid_t user, gid_t group) {
    char line[64];
    write_text("/proc/self/setgroups", "deny");
    snprintf(line, sizeof line, "%u %u 1", user, user);
    write_text("/proc/self/uid_map", line);
    snprintf(line, sizeof line, "%u %u 1", group, group);
    write_text("/proc/self/gid_map", line);
}

unsigned webimage_sandbox_separate(unsigned namespaces) {
    namespaces &= ~(unsigned)WEBIMAGE_SANDBOX_PROCESS_NAMESPACE;
    uid_t user = geteuid();
    gid_t group = getegid();
    unsigned owned = namespaces | WEBIMAGE_SANDBOX_USER_NAMESPACE;
    if (unshare(webimage_sandbox_clone_flags(owned)) == 0) {
        keep_names(user, group);
        return owned;
    }
    // An administrator may do without a user namespace, which some kernels do not have.
    namespaces &= ~(unsigned)WEBIMAGE_SANDBOX_USER_NAMESPACE;
    return namespaces && unshare(webimage_sandbox_clone_flags(namespaces)) == 0 ? namespaces : 0;
}

int webimage_sandbox_make_empty_root(void) {
    int context = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
    if (context < 0) return -errno;
    int root = -1;
    if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0) {
        unsigned attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
        root = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes);
    }
    int error = errno;
    close(context);
    return root >= 0 ? root : -error;
}

int webimage_sandbox_enter_root(int directory) {
    return fchdir(directory) == 0 && chroot(".") == 0 ? 0 : errno;
}
