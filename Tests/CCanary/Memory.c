#define _GNU_SOURCE
#include "Canary.h"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

// Memory with code in it, and other calling conventions.

static long map(int protection, int flags, int descriptor) {
    return CALL(SYS_mmap, NULL, 4096L, (long)protection, (long)flags, (long)descriptor, 0L) < 0 ? -errno : 0;
}

CANARY(writable_code, map(PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1))
CANARY(code_of_file, map(PROT_READ | PROT_EXEC, MAP_PRIVATE, targets->program))
CANARY(shared_file, map(PROT_READ | PROT_WRITE, MAP_SHARED, targets->file_descriptor))

static long make_executable(webimage_canary_targets *targets) {
    (void)targets;
    long page = CALL(SYS_mmap, NULL, 4096L, (long)(PROT_READ | PROT_WRITE), (long)(MAP_PRIVATE | MAP_ANONYMOUS), -1L, 0L);
    return page < 0 && page > -4096 ? page : CALL(SYS_mprotect, page, 4096L, (long)(PROT_READ | PROT_EXEC));
}

static long make_executable_with_key(webimage_canary_targets *targets) {
    (void)targets;
    long page = CALL(SYS_mmap, NULL, 4096L, (long)(PROT_READ | PROT_WRITE), (long)(MAP_PRIVATE | MAP_ANONYMOUS), -1L, 0L);
    return page < 0 && page > -4096 ? page : CALL(SYS_pkey_mprotect, page, 4096L, (long)(PROT_READ | PROT_EXEC), -1L);
}

// The program's own code, which a decoder must not change.
static long change_code(webimage_canary_targets *targets) {
    (void)targets;
    unsigned long page = (unsigned long)make_executable & ~4095UL;
    return CALL(SYS_mprotect, page, 4096L, (long)(PROT_READ | PROT_WRITE | PROT_EXEC));
}

CANARY(lock_memory, CALL(SYS_mlockall, 1 /* MCL_CURRENT */))
CANARY(advise_others, CALL(SYS_process_madvise, targets->file_descriptor, NULL, 0L, 0, 0))
CANARY(bind_memory, CALL(SYS_set_mempolicy, 0, NULL, 0L))

#if defined(__x86_64__)
// getpid of i386, by its own gate.
static long old_gate(webimage_canary_targets *targets) {
    (void)targets;
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    return result;
}

// getpid of x32.
CANARY(other_convention, CALL(0x40000000 + SYS_getpid))
CANARY(segment_table, CALL(SYS_modify_ldt, 0, NULL, 0L))
CANARY(thread_pointer, CALL(SYS_arch_prctl, 0x1003 /* ARCH_GET_FS */, targets->directory))
#endif

const webimage_canary webimage_canary_memory[] = {
    {"mmap PROT_EXEC", writable_code},
    {"mmap code of a file", code_of_file},
    {"mmap MAP_SHARED", shared_file},
    {"mprotect PROT_EXEC", make_executable},
    {"mprotect own code", change_code},
    {"pkey_mprotect", make_executable_with_key},
    {"mlockall", lock_memory},
    {"process_madvise", advise_others},
    {"set_mempolicy", bind_memory},
#if defined(__x86_64__)
    {"int 0x80", old_gate},
    {"x32", other_convention},
    {"modify_ldt", segment_table},
    {"arch_prctl", thread_pointer},
#endif
    {NULL, NULL},
};
