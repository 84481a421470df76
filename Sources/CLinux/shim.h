#pragma once
#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>
#include <sys/syscall.h>

// syscall() is variadic, which Swift cannot call; gettid() is missing from Swift's Glibc module.
static inline int webimage_is_main_thread(void) { return (pid_t)syscall(SYS_gettid) == getpid(); }
