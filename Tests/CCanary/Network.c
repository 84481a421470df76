#define _GNU_SOURCE
#include "Canary.h"

#include <linux/netlink.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

static long connect_to_port(webimage_canary_targets *targets) {
    int descriptor = (int)CALL(SYS_socket, AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return descriptor;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = targets->port, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return CALL(SYS_connect, descriptor, &address, sizeof address);
}

static long connect_to_name(webimage_canary_targets *targets) {
    int descriptor = (int)CALL(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0) return descriptor;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + 1, targets->name, strlen(targets->name));
    return CALL(SYS_connect, descriptor, &address, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(targets->name));
}

static long listen_for_others(webimage_canary_targets *targets) {
    (void)targets;
    int descriptor = (int)CALL(SYS_socket, AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return descriptor;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_ANY)}, .sin_port = htons(47111)};
    return CALL(SYS_bind, descriptor, &address, sizeof address);
}

static long send_datagram(webimage_canary_targets *targets) {
    int descriptor = (int)CALL(SYS_socket, AF_INET, SOCK_DGRAM, 0);
    if (descriptor < 0) return descriptor;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = targets->port, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return CALL(SYS_sendto, descriptor, "x", 1L, 0, &address, sizeof address);
}

static long send_message(int connection, int flags, void *control, size_t count) {
    struct iovec part = {"x", 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = count};
    return CALL(SYS_sendmsg, connection, &message, flags);
}

static long receive_message(int connection, int flags) {
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return CALL(SYS_recvmsg, connection, &message, flags | MSG_DONTWAIT);
}

CANARY(send_out_of_band, send_message(targets->inbox, MSG_OOB, NULL, 0))
CANARY(receive_out_of_band, receive_message(targets->inbox, MSG_OOB))
CANARY(peek, receive_message(targets->inbox, MSG_PEEK))

// The socket itself.
static long send_descriptor(webimage_canary_targets *targets) {
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } control = {{0}};
    control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &targets->inbox, sizeof(int));
    return send_message(targets->inbox, 0, control.bytes, sizeof control.bytes);
}

static long pair_of(int type) {
    int descriptors[2];
    return CALL(SYS_socketpair, AF_UNIX, type, 0, descriptors);
}

CANARY(pair, pair_of(SOCK_STREAM))
// A message on such a socket may name a receiver.
CANARY(datagram_pair, pair_of(SOCK_DGRAM))

CANARY(internet_socket, CALL(SYS_socket, AF_INET6, SOCK_STREAM, 0))
CANARY(packet_socket, CALL(SYS_socket, 17 /* AF_PACKET */, SOCK_RAW, 0))
CANARY(kernel_socket, CALL(SYS_socket, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE))
CANARY(cipher_socket, CALL(SYS_socket, 38 /* AF_ALG */, SOCK_SEQPACKET, 0))

const webimage_canary webimage_canary_network[] = {
    {"socket", internet_socket},
    {"socket AF_PACKET", packet_socket},
    {"socket AF_NETLINK", kernel_socket},
    {"socket AF_ALG", cipher_socket},
    {"socketpair", pair},
    {"socketpair SOCK_DGRAM", datagram_pair},
    {"connect 127.0.0.1", connect_to_port},
    {"connect abstract", connect_to_name},
    {"bind", listen_for_others},
    {"sendto", send_datagram},
    {"sendmsg MSG_OOB", send_out_of_band},
    {"sendmsg SCM_RIGHTS", send_descriptor},
    {"recvmsg MSG_OOB", receive_out_of_band},
    {"recvmsg MSG_PEEK", peek},
    {NULL, NULL},
};
