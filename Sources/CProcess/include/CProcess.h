#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Other processes, and what is exchanged with them: system calls whose macros Swift does not have. No header of POSIX is
// included: Swift would take some of its types for this module's. Numbers of processes are int.

// Messages with descriptors, on connected sockets of packets

enum {
    /// The most that come with a message. The kernel closes what a stranger sends beyond.
    WEBIMAGE_MESSAGE_DESCRIPTORS = 8,
};

typedef struct {
    intptr_t count;       // bytes; 0 where the other side has ended, and the negative error
    int descriptor_count; // closed at exec
    bool is_cut;          // bytes or descriptors are missing
} webimage_receipt;

/// `descriptors` has room for WEBIMAGE_MESSAGE_DESCRIPTORS.
webimage_receipt webimage_receive(int connection, void *bytes, size_t room, int *descriptors, bool waits);
/// 0, or the error.
int webimage_send(
    int connection, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count, bool waits);
/// Sends a message without descriptors, by a call that a locked process has: 0, or the error. SIGPIPE must be ignored.
int webimage_write(int connection, const void *bytes, size_t count);
/// Two connected sockets: 0, or the error.
int webimage_connect_pair(int ends[2]);

// Files of memory, which have no name

/// The descriptor of a file with so many zeros, or the negative error.
int webimage_make_memory_file(int64_t size);
/// Its size stays, for all that have it: 0, or the error.
int webimage_seal_memory_file(int file);

// Other processes

enum {
    /// The only descriptor of a companion beside the standard streams.
    WEBIMAGE_COMPANION_CONTROL = 3,
};

/// Starts a program with a descriptor: 0, or the error. It has a group of its own, so that Control-C is for the caller alone.
int webimage_start_companion(const char *path, int control, int *process);
/// Whether this process, and all that are forked from it, have huge pages where they ask for them.
void webimage_use_huge_pages(bool uses);
/// A descriptor that can be read once the process has ended, or the negative error.
int webimage_open_process(int process);
/// 0, or the error.
int webimage_signal_process(int descriptor, int number);
/// Returns which of two descriptors can be read, or has ended, as bits; waits for so many milliseconds, for ever with
/// -1. A negative descriptor is none.
int webimage_wait_for_either(int first, int second, int milliseconds);
