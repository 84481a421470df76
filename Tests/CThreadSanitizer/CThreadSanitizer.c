#include "CThreadSanitizer.h"

#if __has_feature(thread_sanitizer)
#include <sched.h>
#include <stdbool.h>
#include <time.h>

// Swift's Mutex takes a contended lock inside libswiftSynchronization, which is not instrumented: the sanitizer does
// not see that the lock is taken, and reports races between threads that hold it in turn. The linker prefers this
// definition of the same function, which takes the lock where the sanitizer sees it. No thread waits for the lock in
// the kernel, so unlocking never needs its own slow path; a thread that only tries must not ask the kernel, either, and
// fails while the lock is taken. A thread that waits long sleeps between two attempts: next to several spinning
// threads, a holder of low priority would hardly get a processor.
__attribute__((swiftcall)) void webimage_lock_slowly(
    uint32_t thread, __attribute__((swift_context)) void *handle)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void webimage_lock_slowly(
    uint32_t thread, __attribute__((swift_context)) void *handle) {
    _Atomic(uint32_t) *lock = handle;
    for (unsigned looks = 0;; looks++) {
        uint32_t unlocked = 0;
        if (__c11_atomic_compare_exchange_strong(lock, &unlocked, thread, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
        struct timespec pause = {.tv_nsec = 100000};
        if (looks < 20)
            sched_yield();
        else
            nanosleep(&pause, 0);
    }
}

__attribute__((swiftcall)) bool webimage_try_lock_slowly(__attribute__((swift_context)) void *handle)
    __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");

__attribute__((swiftcall)) bool webimage_try_lock_slowly(__attribute__((swift_context)) void *handle) { return false; }
#endif
