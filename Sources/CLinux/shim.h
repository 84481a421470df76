#pragma once
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// syscall() is variadic, which Swift cannot call; gettid() is missing from Swift's Glibc module.
static inline int webimage_is_main_thread(void) { return (pid_t)syscall(SYS_gettid) == getpid(); }

// Declared for _GNU_SOURCE only, which a module map cannot define.
int pthread_setname_np(pthread_t thread, const char *name);
int sched_getcpu(void);

// Macros that Swift cannot import: O_TMPFILE and O_NOATIME are defined for GNU sources only, UTIME_OMIT is an
// expression in parentheses.
static const int webimage_open_unnamed = __O_TMPFILE;
static const int webimage_open_without_access_time = __O_NOATIME;
static const long webimage_time_unchanged = UTIME_OMIT;

// Locks an open file as a whole. The lock belongs to the opening and not to the process, so that two caches of one process
// keep each other off as well. fcntl() is variadic, and 37 is F_OFD_SETLK, which is for GNU sources only.
static inline int webimage_set_lock(int descriptor, int type) {
    struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET};
    return fcntl(descriptor, 37, &lock);
}

// Gives the calling thread a tenth of the processor when others want it, and the idle class of the disk; errors are
// ignored. The processor's share is not the minimum, because the thread holds locks for moments, and other threads
// would wait for them as long as it is not scheduled. I/O priorities have no function: 1 is IOPRIO_WHO_PROCESS, 0 the
// calling thread, 3 << 13 IOPRIO_CLASS_IDLE.
static inline void webimage_yield_to_others(void) {
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 10);
    syscall(SYS_ioprio_set, 1, 0, 3 << 13);
}
