#define _GNU_SOURCE
#include "Canary.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <sys/wait.h>

// More than its share of memory, time, processes and disk. Without limits each ends by itself, as a success.

static const size_t four_gigabytes = (size_t)4 << 30;

static long allocate(webimage_canary_targets *targets) {
    (void)targets;
    // Volatile: the compiler would leave out a pair of calls without an effect.
    void *volatile memory = malloc(four_gigabytes);
    if (!memory) return -errno;
    free(memory);
    return 0;
}

// In small pieces, which are never touched and so take no real memory.
static long allocate_pieces(webimage_canary_targets *targets) {
    (void)targets;
    const size_t piece = 64 << 20;
    for (size_t size = 0; size < four_gigabytes; size += piece) {
        long memory = CALL(SYS_mmap, NULL, piece, (long)(PROT_READ | PROT_WRITE), (long)(MAP_SHARED | MAP_ANONYMOUS), -1L, 0L);
        if (memory < 0 && memory > -4096) return memory;
    }
    return 0;
}

// Three seconds of processor time.
static long loop(webimage_canary_targets *targets) {
    (void)targets;
    struct timespec time = {0};
    while (time.tv_sec < 3) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 0;
}

// The same by two threads, whose time is added.
static void *endless(void *unused) {
    (void)unused;
    for (volatile unsigned long count = 0;; count++) continue;
}

static long loop_in_thread(webimage_canary_targets *targets) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, endless, NULL);
    return error ? -error : loop(targets);
}

static long descend(volatile char *above, size_t depth) {
    volatile char frame[1 << 16];
    frame[0] = above ? above[0] : 0;
    return depth == 0 ? frame[0] : descend(frame, depth - 1) + frame[0];
}

// A gigabyte.
CANARY(overflow_stack, descend(NULL, 1 << 14))

static long start_processes(webimage_canary_targets *targets) {
    long count = 0;
    for (; count < 100; count++) {
        long process = noted(targets, CALL(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L));
        if (process == 0) _exit(0);
        if (process < 0) return process;
    }
    while (wait(NULL) > 0) continue;
    return count;
}

static void *rest(void *lock) {
    pthread_mutex_lock(lock);
    return NULL;
}

static long start_threads(webimage_canary_targets *targets) {
    (void)targets;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    for (long count = 0; count < 200; count++) {
        pthread_t thread;
        int error = pthread_create(&thread, NULL, rest, &lock);
        if (error) return -error;
    }
    return 0;
}

static int rest_without_end(void *word) {
    for (;;) syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL);
}

// A stack of a page each, and one block for the thread's own variables.
long webimage_canary_start_threads(long count) {
    enum { stack = 4096, block = 1 << 16 };
    static int word, number;
    const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS
        | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
    size_t size = (size_t)count * stack + block;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return -errno;
    char *variables = memory + block / 2;
    for (long index = 1; index <= count; index++) {
        char *top = memory + block + index * stack;
        if (clone(rest_without_end, top, flags, &word, &number, variables, &number) < 0) return -errno;
    }
    return 0;
}

CANARY(start_small_threads, webimage_canary_start_threads(1000))
CANARY(write_file, CALL(SYS_write, targets->file_descriptor, "hostile!", 8L))
CANARY(write_memory_file, CALL(SYS_write, targets->program, "hostile!", 8L))

const webimage_canary webimage_canary_resources[] = {
    {"malloc of 4 GB", allocate},
    {"shared memory of 4 GB", allocate_pieces},
    {"endless loop", loop},
    {"endless loop in a thread", loop_in_thread},
    {"stack overflow", overflow_stack},
    {"fork bomb", start_processes},
    {"thread bomb", start_threads},
    {"thread bomb without memory", start_small_threads},
    {"write to a file", write_file},
    {"write to memory of the parent", write_memory_file},
    {NULL, NULL},
};
