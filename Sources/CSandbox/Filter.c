#define _GNU_SOURCE
#include "Filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// An assembler of a few lines for the classic BPF of seccomp(2). Each rule is a block that a jump skips if the call is
// another one, and that always ends with an answer.

#if defined(__x86_64__)
enum { architecture = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { architecture = AUDIT_ARCH_AARCH64 };
#else
enum { architecture = 0 };
#endif

static void append(webimage_filter *filter, struct sock_filter step) {
    if (filter->count < WEBIMAGE_FILTER_CAPACITY) filter->steps[filter->count] = step;
    filter->count++;
}

static void load(webimage_filter *filter, size_t offset) {
    append(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void answer(webimage_filter *filter, uint32_t value) {
    append(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, value));
}

// Jumps over so many steps.
static void jump(webimage_filter *filter, int comparison, uint32_t value, size_t if_true, size_t if_false) {
    unsigned short code = (unsigned short)(BPF_JMP | comparison | BPF_K);
    append(filter, (struct sock_filter)BPF_JUMP(code, value, (uint8_t)if_true, (uint8_t)if_false));
}

static size_t check_count(const webimage_filter_rule *rule) {
    size_t count = 0;
    while (count < sizeof rule->checks / sizeof *rule->checks && rule->checks[count].mask) count++;
    return count;
}

enum { steps_of_check = 3 };

// Past the other checks and the answer if it does not hold.
static void append_check(webimage_filter *filter, const webimage_filter_check *check, size_t others) {
    // Both architectures are little-endian.
    load(filter, offsetof(struct seccomp_data, args) + check->argument * 8 + (check->is_upper ? 4 : 0));
    append(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, check->mask));
    jump(filter, BPF_JEQ, check->value, 0, others * steps_of_check + 1);
}

void webimage_filter_begin(webimage_filter *filter) {
    filter->count = 0;
    load(filter, offsetof(struct seccomp_data, arch));
    jump(filter, BPF_JEQ, architecture, 1, 0);
    answer(filter, SECCOMP_RET_KILL_PROCESS);
    // Calls of x32 have the same architecture, and numbers from __X32_SYSCALL_BIT on, which no rule has.
    load(filter, offsetof(struct seccomp_data, nr));
}

void webimage_filter_append(webimage_filter *filter, const webimage_filter_rule *rule) {
    size_t checks = check_count(rule);
    jump(filter, BPF_JEQ, (uint32_t)rule->call, 0, checks * steps_of_check + (checks ? 2 : 1));
    for (size_t index = 0; index < checks; index++) append_check(filter, &rule->checks[index], checks - index - 1);
    answer(filter, rule->answer);
    if (checks) answer(filter, rule->otherwise);
}

void webimage_filter_end(webimage_filter *filter, uint32_t value) { answer(filter, value); }

int webimage_filter_install(webimage_filter *filter) {
    // Without a known architecture no call would be left.
    if (architecture == 0) return ENOSYS;
    if (filter->count > WEBIMAGE_FILTER_CAPACITY) return E2BIG;
    struct sock_fprog program = {.len = (unsigned short)filter->count, .filter = filter->steps};
    // The list of systemd's @system-service has no seccomp(2), which could do it for several threads.
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}
