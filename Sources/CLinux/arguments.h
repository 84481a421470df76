#pragma once
#include <getopt.h>

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
