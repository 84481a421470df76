#include "CAllocations.h"

#include <errno.h>
#include <stddef.h>

// glibc's internal names of the functions that this file replaces.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Per thread, so that other threads are not counted. The "initial-exec" model itself does not allocate.
static __thread unsigned long count __attribute__((tls_model("initial-exec")));
static __thread unsigned long byte_count __attribute__((tls_model("initial-exec")));

unsigned long webimage_allocation_count(void) { return count; }
unsigned long webimage_allocated_byte_count(void) { return byte_count; }

static void add(size_t size) {
  count += 1;
  byte_count += size;
}

void *malloc(size_t size) {
  add(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  add(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  add(size);
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  add(size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  add(size);
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}
