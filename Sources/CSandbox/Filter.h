#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A condition on 32 bits of an argument of a system call; argument 0 is the first.
typedef struct {
    unsigned argument;
    bool is_upper; // of the upper half of its 64 bits
    uint32_t mask; // 0 for no condition
    uint32_t value;
} webimage_filter_check;

/// The filter's answer to one system call: `answer` if all checks hold, `otherwise` if one does not.
typedef struct {
    long call;
    uint32_t answer;
    webimage_filter_check checks[3];
    uint32_t otherwise;
} webimage_filter_rule;

enum { WEBIMAGE_FILTER_CAPACITY = 512 };

/// A program of the kernel's filter of system calls.
typedef struct {
    struct sock_filter steps[WEBIMAGE_FILTER_CAPACITY];
    size_t count; // greater than the capacity if the rules do not fit
} webimage_filter;

/// Begins with a check of the interface: all calls of others end the process.
void webimage_filter_begin(webimage_filter *filter);
void webimage_filter_append(webimage_filter *filter, const webimage_filter_rule *rule);
/// Calls without a rule get this answer.
void webimage_filter_end(webimage_filter *filter, uint32_t answer);
/// From now on, for all threads. 0, or the error for which the kernel refuses it.
int webimage_filter_install(webimage_filter *filter);
