#include "CThreadSanitizer.h"

#if __has_feature(thread_sanitizer)
#include <sched.h>

// Swift's Mutex takes a contended lock inside libswiftSynchronization, which is not instrumented: the sanitizer does not
// see that the lock was taken, and reports races between threads that hold it one after the other. This definition of
// the same function, which the linker prefers, takes the lock where the sanitizer sees it. It spins instead of sleeping,
// so nobody ever waits in the kernel, and unlocking never needs its own slow path.
__attribute__((swiftcall)) void webimage_lock_slowly(
    uint32_t thread, __attribute__((swift_context)) void *handle)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void webimage_lock_slowly(
    uint32_t thread, __attribute__((swift_context)) void *handle) {
    _Atomic(uint32_t) *lock = handle;
    for (;;) {
        uint32_t unlocked = 0;
        if (__c11_atomic_compare_exchange_weak(lock, &unlocked, thread, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
        sched_yield();
    }
}
#endif
