#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Measures with which the kernel takes rights from a process for good. Each measure is one call, which returns 0, or
// the error for which the kernel refuses it. They are for a process with one thread.

// Privileges

/// No program that this process starts gets more rights than the process has.
int webimage_sandbox_set_no_new_privileges(void);
/// No process of the same user may trace this one, or read its memory.
int webimage_sandbox_set_undumpable(void);
int webimage_sandbox_drop_capabilities(void);

// Things that a process has from its parent

/// No handler is left, and no signal ends the process that only tells of a closed connection. A handler for crashes would make calls that end the process before it tells of the crash.
void webimage_sandbox_reset_signals(void);
/// Overwrites the strings of the environment, too: they would stay in memory.
void webimage_sandbox_clear_environment(void);
/// Closes all descriptors but those in `kept`, which are in ascending order.
int webimage_sandbox_close_descriptors(const int *kept, size_t count);

// Limits

typedef struct {
    uint64_t memory;            // bytes of address space
    uint64_t processor_seconds; // SIGKILL at its end
    uint64_t descriptors;       // the lowest number that no descriptor may have
    uint64_t processes;         // UINT64_MAX for no limit
} webimage_sandbox_limits;

/// The bytes of address space in use. Faster as long as /proc is there.
uint64_t webimage_sandbox_address_space(void);
int webimage_sandbox_set_limits(const webimage_sandbox_limits *limits);
/// Whether a sanitizer has reserved more address space than any limit allows.
bool webimage_sandbox_has_sanitizer(void);

// Files, network and signals

/// Takes all rights that Landlock knows: the version of its interface, or the negative error.
int webimage_sandbox_restrict_by_landlock(void);

// System calls

/// Whether a list of system calls holds already, whose calls may end a process.
bool webimage_sandbox_has_filter(void);

enum {
    /// Threads may be started.
    WEBIMAGE_SANDBOX_THREADS = 1 << 0,
    /// Messages with descriptors may be received on the sockets that the process has, and their files mapped.
    WEBIMAGE_SANDBOX_MESSAGES = 1 << 1,
    /// Threads may wait for each other by descriptors: pairs of connected sockets, which reach no other process.
    WEBIMAGE_SANDBOX_WAITS = 1 << 2,
};

/// All system calls fail or end the process, but those that decoding takes. The connection, a descriptor or -1, cannot be
/// closed.
int webimage_sandbox_filter_system_calls(unsigned allowances, int connection);

// Namespaces

enum {
    WEBIMAGE_SANDBOX_USER_NAMESPACE = 1 << 0,
    WEBIMAGE_SANDBOX_PROCESS_NAMESPACE = 1 << 1,
    WEBIMAGE_SANDBOX_NETWORK_NAMESPACE = 1 << 2,
    WEBIMAGE_SANDBOX_IPC_NAMESPACE = 1 << 3,
    WEBIMAGE_SANDBOX_HOST_NAMESPACE = 1 << 4,
    WEBIMAGE_SANDBOX_MOUNT_NAMESPACE = 1 << 5,
};

/// Moves this process into namespaces of its own: those that it is in then. A process namespace is for children only.
unsigned webimage_sandbox_separate(unsigned namespaces);
/// An empty directory that cannot be written, for the calling process and its children; needs a mount namespace.
/// The negative error where there is none.
int webimage_sandbox_make_empty_root(void);
/// Makes the directory the root of the file system, and the working directory.
int webimage_sandbox_enter_root(int directory);

typedef struct {
    pid_t process;       // 0 in the child, -1 for an error
    int error;
    unsigned namespaces; // in the child: those that it has of its own
    bool dies_with_parent;
} webimage_sandbox_child;

/// Whether this process has no thread but the caller.
bool webimage_sandbox_has_one_thread(void);
/// How many threads a child has; 0 without /proc.
unsigned webimage_sandbox_thread_count(pid_t process);
/// fork(), with namespaces of the child's own: the wished ones, or fewer where they may not be made, but never without the
/// required ones, which are some of these. Handlers of pthread_atfork are not called with namespaces.
webimage_sandbox_child webimage_sandbox_fork(unsigned wished, unsigned required);
