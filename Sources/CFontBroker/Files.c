#define _GNU_SOURCE
#include "CFontBroker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Font libraries open a file for each font and size, and a locked process opens none. So the program has these functions of
// the C library itself, and the libraries call them in place of glibc's: they ask another process, which opens fonts and
// nothing else. Before webimage_ask_for_files() they are plain system calls.

// The number of a process's exit where a font cannot be read: a text without its font would have other pixels and no
// error. WorkerStatus.fontMissing
enum { font_missing = 78 };

const int webimage_file_refused = EACCES;
static int broker = -1;
// Pango searches for fonts on a thread of its own.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void webimage_ask_for_files(int connection) { broker = connection; }

// The other side answers with a descriptor, or with the error alone.
static int ask_alone(const char *path) {
    size_t count = strlen(path);
    if (count == 0 || count > 4096) return errno = ENOENT, -1;
    if (write(broker, path, count) < 0) _exit(font_missing);
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    int32_t error = 0;
    struct iovec part = {.iov_base = &error, .iov_len = sizeof error};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t received;
    do received = recvmsg(broker, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received != sizeof error || message.msg_flags & MSG_CTRUNC) _exit(font_missing);
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    if (error == 0 && head && head->cmsg_type == SCM_RIGHTS) {
        int file;
        memcpy(&file, CMSG_DATA(head), sizeof file);
        return file;
    }
    if (error != webimage_file_refused) _exit(font_missing);
    errno = error;
    return -1;
}

static int ask(const char *path) {
    pthread_mutex_lock(&lock);
    int file = ask_alone(path);
    pthread_mutex_unlock(&lock);
    return file;
}

static int open_file(const char *path, int flags, mode_t mode) {
    if (broker < 0) return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if ((flags & (O_ACCMODE | O_CREAT | O_TRUNC | O_DIRECTORY)) != O_RDONLY) return errno = EACCES, -1;
    return ask(path);
}

// cairo looks whether a font can be read before FreeType opens it.
int access(const char *path, int mode) {
    if (broker < 0) return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
    if (mode & (W_OK | X_OK)) return errno = EACCES, -1;
    int file = ask(path);
    if (file >= 0) close(file);
    return file >= 0 ? 0 : -1;
}

static bool takes_mode(int flags) { return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE; }

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = takes_mode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_file(path, flags | O_LARGEFILE, mode);
}

int __open_2(const char *path, int flags) { return open_file(path, flags, 0); }

int __open64_2(const char *path, int flags) { return open_file(path, flags | O_LARGEFILE, 0); }

// glibc's fopen opens by itself; poppler reads its tables of characters by it.
static FILE *open_stream(const char *path, const char *mode) {
    bool reads = mode[0] == 'r' && !strchr(mode, '+');
    int flags = reads ? O_RDONLY : mode[0] == 'r' ? O_RDWR : O_CREAT | (strchr(mode, '+') ? O_RDWR : O_WRONLY);
    if (mode[0] == 'w') flags |= O_TRUNC;
    if (mode[0] == 'a') flags |= O_APPEND;
    if (strchr(mode, 'e')) flags |= O_CLOEXEC;
    if (strchr(mode, 'x')) flags |= O_EXCL;
    int file = open_file(path, flags, 0666);
    if (file < 0) return NULL;
    FILE *stream = fdopen(file, mode);
    if (!stream) close(file);
    return stream;
}

FILE *fopen(const char *path, const char *mode) { return open_stream(path, mode); }

FILE *fopen64(const char *path, const char *mode) { return open_stream(path, mode); }

// glibc 2.33 to 2.38 ask by a call that also takes paths, which a locked process does not have.
#if defined(SYS_fstat)
int fstat(int file, struct stat *status) { return (int)syscall(SYS_fstat, file, status); }

int fstat64(int file, struct stat64 *status) { return (int)syscall(SYS_fstat, file, status); }
#endif
