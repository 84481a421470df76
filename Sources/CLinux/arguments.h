#pragma once
#include <getopt.h>

// getopt_long uses globals, which Swift does not read: one step, with all its results.
typedef struct {
    int code;             // `option.val`, 1 for an operand, '?' unknown, ':' value missing, -1 at the end
    int refused;          // the option's code when its use was rejected, 0 for an unknown option
    int next;             // the index of the next argument
    const char *argument; // the option's value, or the operand
} webimage_getopt_step;

static inline webimage_getopt_step
webimage_getopt(int count, char *const *arguments, const char *letters, const struct option *names, int isFirst) {
    if (isFirst) optind = 0; // makes glibc forget the former call
    opterr = 0;
    optopt = 0;
    optarg = NULL;
    int code = getopt_long(count, arguments, letters, names, NULL);
    return (webimage_getopt_step){code, optopt, optind, optarg};
}
