#define _GNU_SOURCE
#include "CAllocation.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// A library without memory may do anything: it crashes, aborts, calls the file damaged, or leaves a part of the picture
// out. None of it tells of the limit. So a program that only decodes has these functions of the C library itself, and
// the first allocation that fails ends it. Before webimage_end_without_memory() they are glibc's.

static atomic_int status_without_memory, status_without_threads;

// A stack that cannot grow ends the process by SIGSEGV, as damage does. One touch of its end makes it as large as it may
// become; the pages between take no memory until they are used.
static void __attribute__((noinline)) grow_stack(void) {
    enum { most = 8 << 20, used = 512 << 10 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
    size_t count = limit.rlim_cur > most ? most : limit.rlim_cur;
    if (count <= 2 * used) return;
    volatile char *end = __builtin_alloca(count - used);
    *end = 0;
}

void webimage_end_without_memory(int status) {
    grow_stack();
    atomic_store(&status_without_memory, status);
}

void webimage_end_without_threads(int status) { atomic_store(&status_without_threads, status); }

// The sanitizers have such functions, too.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

void *__libc_malloc(size_t count);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t count);
void *__libc_memalign(size_t alignment, size_t count);

static void *checked(void *memory) {
    int status = memory ? 0 : atomic_load(&status_without_memory);
    if (status) _exit(status);
    return memory;
}

void *malloc(size_t count) { return checked(__libc_malloc(count)); }

void *calloc(size_t count, size_t size) { return checked(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t count) {
    void *moved = __libc_realloc(memory, count);
    // Without bytes it frees, and has nothing to return.
    return count ? checked(moved) : moved;
}

void *memalign(size_t alignment, size_t count) { return checked(__libc_memalign(alignment, count)); }

void *aligned_alloc(size_t alignment, size_t count) { return memalign(alignment, count); }

int posix_memalign(void **memory, size_t alignment, size_t count) {
    if (alignment % sizeof(void *) || alignment == 0 || alignment & (alignment - 1)) return EINVAL;
    void *found = memalign(alignment, count);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}

static bool has_room(size_t count) {
    void *room = mmap(NULL, count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, count);
    return true;
}

static size_t stack_size(const pthread_attr_t *attributes) {
    size_t count = 0;
    if (attributes) pthread_attr_getstacksize(attributes, &count);
    return count ? count : 8 << 20;
}

// GLib ends the process by SIGTRAP where it gets no thread, and librsvg's library of threads aborts, which looks like damage.
int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static _Atomic(create *) next;
    create *make = atomic_load(&next);
    if (!make) atomic_store(&next, make = (create *)dlsym(RTLD_NEXT, "pthread_create"));
    int error = make(thread, attributes, start, argument);
    if (error != EAGAIN) return error;
    // No room for a stack, and no more threads in the system, are the same error.
    int status = atomic_load(&status_without_memory);
    if (status && !has_room(stack_size(attributes))) _exit(status);
    status = atomic_load(&status_without_threads);
    if (status) _exit(status);
    return error;
}

#endif
