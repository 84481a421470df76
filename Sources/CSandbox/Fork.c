#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Namespaces.h"

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static unsigned count_tasks(const char *path) {
    struct stat tasks;
    // A directory for each, and two names of this one.
    return stat(path, &tasks) == 0 ? (unsigned)tasks.st_nlink - 2 : 0;
}

// unshare(2) of CLONE_THREAD does nothing, and only a process with one thread may ask for it. That needs no /proc; but lists of
// system calls may refuse it.
bool webimage_sandbox_has_one_thread(void) {
    unsigned count = count_tasks("/proc/self/task");
    return count ? count == 1 : unshare(CLONE_THREAD) == 0 || errno != EINVAL;
}

unsigned webimage_sandbox_thread_count(pid_t process) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    return count_tasks(path);
}

// glibc's fork() takes no namespaces. It keeps the thread's number beside its lock owners, and lets the kernel write that of
// the child there; so does this. Without it, a thread of the child might have the number that its first thread
// remembers from the parent, and a lock would have two owners.
static pid_t clone_into(int namespaces) {
    void *thread = NULL;
    if (prctl(PR_GET_TID_ADDRESS, &thread, 0, 0, 0) != 0) return -1;
    unsigned long flags = (unsigned long)namespaces | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#if defined(__aarch64__)
    return (pid_t)syscall(SYS_clone, flags, NULL, NULL, 0, thread);
#else
    return (pid_t)syscall(SYS_clone, flags, NULL, NULL, thread, 0);
#endif
}

// Whether the kernel kills this process once the parent's thread ends. A parent that had ended before has left no signal; it
// has no number in a process namespace, so that its descriptor is asked.
static bool follow(int parent, pid_t number) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return false;
    struct pollfd end = {.fd = parent, .events = POLLIN};
    if (parent >= 0 ? poll(&end, 1, 0) == 1 : getppid() != 0 && getppid() != number) _exit(1);
    return parent >= 0 || getppid() == number;
}

static webimage_sandbox_child fork_into(unsigned namespaces) {
    pid_t process = namespaces ? clone_into(webimage_sandbox_clone_flags(namespaces)) : fork();
    return (webimage_sandbox_child){.process = process, .error = process < 0 ? errno : 0, .namespaces = namespaces};
}

// A user namespace owns the others, but root can make them without one; and every process can be forked with none at all.
static webimage_sandbox_child fork_with_most(unsigned wished, unsigned required) {
    const unsigned choices[] = {wished, wished & ~(unsigned)WEBIMAGE_SANDBOX_USER_NAMESPACE, 0};
    webimage_sandbox_child child = {.process = -1, .error = EINVAL};
    for (size_t index = 0; index < sizeof choices / sizeof *choices && child.process < 0; index++) {
        bool is_new = index == 0 || choices[index] != choices[index - 1];
        if (is_new && (choices[index] & required) == required) child = fork_into(choices[index]);
    }
    return child;
}

webimage_sandbox_child webimage_sandbox_fork(unsigned wished, unsigned required) {
    pid_t number = getpid();
    int parent = (int)syscall(SYS_pidfd_open, number, 0);
    webimage_sandbox_child child = fork_with_most(wished, required);
    if (child.process == 0) child.dies_with_parent = follow(parent, number);
    if (parent >= 0) close(parent);
    return child;
}
