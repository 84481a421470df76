#pragma once
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// syscall() is variadic, which Swift cannot call; gettid() is missing from Swift's Glibc module.
static inline int webimage_is_main_thread(void) { return (pid_t)syscall(SYS_gettid) == getpid(); }

// Declared for _GNU_SOURCE only, which a module map cannot define.
int pthread_setname_np(pthread_t thread, const char *name);

// Macros that Swift cannot import: O_TMPFILE is defined for GNU sources only, UTIME_OMIT is an expression in brackets.
static const int webimage_open_unnamed = __O_TMPFILE;
static const long webimage_time_unchanged = UTIME_OMIT;

// getopt_long speaks through globals, which Swift rightly will not read: one step, and all that it says.
typedef struct {
    int code;             // what stands in `option.val`, 1 for an operand, '?' unknown, ':' value missing, -1 at the end
    int refused;          // the option's code when its use was refused, 0 when there is no such option
    int next;             // index of the argument that comes next
    const char *argument; // the option's value, or the operand
} webimage_getopt_step;

static inline webimage_getopt_step
webimage_getopt(int count, char *const *arguments, const char *letters, const struct option *names, int isFirst) {
    if (isFirst) optind = 0; // glibc forgets the call before
    opterr = 0;
    optopt = 0;
    optarg = NULL;
    int code = getopt_long(count, arguments, letters, names, NULL);
    return (webimage_getopt_step){code, optopt, optind, optarg};
}
