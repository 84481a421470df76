#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Hostile code of one attempt each, as a picture that has taken over its decoder might run it. Where an attempt succeeds, its
// effect is small: a signal that has no effect, a call with an argument that the kernel refuses after the rights.

/// The targets of attempts; made before the process is locked in.
typedef struct {
    pid_t parent, sibling;
    char directory[256], file[280]; // an empty directory, but for a file of eight bytes
    int file_descriptor;            // of the file, for reading and writing
    int program;                    // the descriptor of a program in memory
    int terminal;
    int connection;                 // of the attacking process with its parent
    unsigned short port;            // of 127.0.0.1, where somebody listens
    char name[32];                  // of an abstract socket, where somebody listens
    int inbox;                      // a socket where a message waits, with a byte out of band
    int listeners[2], master, peer; // kept open; the peer is the other end of the inbox
    bool *success;                  // shared with the attacking process, which may be killed while it tidies up
    long secret;                    // a number in the parent's memory
} webimage_canary_targets;

/// The calling process is to be attacked, and a sibling of the attacker, which it starts.
bool webimage_canary_prepare(webimage_canary_targets *targets, const char *directory);
/// The harm that was done to the targets; NULL for none.
const char *webimage_canary_harm(const webimage_canary_targets *targets);
/// Ends the sibling, and closes what is open.
void webimage_canary_finish(const webimage_canary_targets *targets);

/// Threads that take next to no memory, as glibc's pthread_create asks for them: 0, or the negative error of the first that is
/// refused.
long webimage_canary_start_threads(long count);

size_t webimage_canary_count(void);
/// NULL behind the last one.
const char *webimage_canary_name(size_t index);
/// Makes the attempt: what the system returned, or the negative error.
long webimage_canary_run(size_t index, webimage_canary_targets *targets);
