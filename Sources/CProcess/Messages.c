#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int take_descriptors(struct msghdr *message, int *descriptors) {
    int count = 0;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        size_t found = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < found && count < WEBIMAGE_MESSAGE_DESCRIPTORS; index++) {
            memcpy(&descriptors[count++], CMSG_DATA(part) + index * sizeof(int), sizeof(int));
        }
    }
    return count;
}

webimage_receipt webimage_receive(int connection, void *bytes, size_t room, int *descriptors, bool waits) {
    union {
        char bytes[CMSG_SPACE(WEBIMAGE_MESSAGE_DESCRIPTORS * sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = room};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t count;
    do count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
    while (count < 0 && errno == EINTR);
    if (count < 0) return (webimage_receipt){.count = -errno};
    return (webimage_receipt){
        .count = count,
        .descriptor_count = take_descriptors(&message, descriptors),
        .is_cut = message.msg_flags & (MSG_TRUNC | MSG_CTRUNC),
    };
}

int webimage_send(
    int connection, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count, bool waits) {
    if (descriptor_count > WEBIMAGE_MESSAGE_DESCRIPTORS) return E2BIG;
    union {
        char bytes[CMSG_SPACE(WEBIMAGE_MESSAGE_DESCRIPTORS * sizeof(int))];
        struct cmsghdr alignment;
    } control = {{0}};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(head), descriptors, descriptor_count * sizeof(int));
    }
    ssize_t sent;
    do sent = sendmsg(connection, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? errno : 0;
}

int webimage_write(int connection, const void *bytes, size_t count) {
    ssize_t written;
    do written = write(connection, bytes, count);
    while (written < 0 && errno == EINTR);
    return written < 0 ? errno : 0;
}

int webimage_connect_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : errno;
}
