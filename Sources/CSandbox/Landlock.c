#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

// https://docs.kernel.org/userspace-api/landlock.html. Debian 12's headers know its second version only, so that numbers
// stand here for the names.

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self 446
#endif

struct ruleset {
    uint64_t file_rights, network_rights, scopes;
};

static uint64_t lowest_bits(int count) { return ((uint64_t)1 << count) - 1; }

// A kernel refuses rights that it does not know; the order of the bits is that of the versions.
static struct ruleset everything_of(int version) {
    // LANDLOCK_ACCESS_FS_EXECUTE to _MAKE_SYM, _REFER (2), _TRUNCATE (3), _IOCTL_DEV (5)
    int files = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return (struct ruleset){
        .file_rights = lowest_bits(files),
        // LANDLOCK_ACCESS_NET_BIND_TCP, _CONNECT_TCP
        .network_rights = version >= 4 ? lowest_bits(2) : 0,
        // LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET, _SIGNAL
        .scopes = version >= 6 ? lowest_bits(2) : 0,
    };
}

static size_t size_of(int version) {
    return sizeof(uint64_t) * (version >= 6 ? 3 : version >= 4 ? 2 : 1);
}

int webimage_sandbox_restrict_by_landlock(void) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (version < 0) return -errno;
    struct ruleset all = everything_of(version);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size_of(version), 0);
    if (rules < 0) return -errno;
    long result = syscall(SYS_landlock_restrict_self, rules, 0);
    int error = errno;
    close(rules);
    return result == 0 ? version : -error;
}
