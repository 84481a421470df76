#pragma once
#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

// A socket on which the kernel tells of changes of addresses and routes; -1 for none.
static inline int webimage_netlink_open(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
    };
    if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

// Reads all that has come: 1 when an address or a route was added, or when the kernel had to drop messages.
static inline int webimage_netlink_has_arrival(int descriptor) {
    char buffer[16384] __attribute__((aligned(__alignof__(struct nlmsghdr))));
    int found = 0;
    for (;;) {
        ssize_t count = recv(descriptor, buffer, sizeof buffer, 0);
        if (count < 0 && errno == ENOBUFS) found = 1;
        if (count < 0 && (errno == ENOBUFS || errno == EINTR)) continue;
        if (count <= 0) return found;
        unsigned int rest = (unsigned int)count;
        for (struct nlmsghdr *message = (struct nlmsghdr *)buffer; NLMSG_OK(message, rest);
             message = NLMSG_NEXT(message, rest)) {
            if (message->nlmsg_type == RTM_NEWADDR || message->nlmsg_type == RTM_NEWROUTE) found = 1;
        }
    }
}

static inline void webimage_netlink_close(int descriptor) { close(descriptor); }

// Whether an interface other than the loopback one is up and has an address.
static inline int webimage_network_is_up(void) {
    struct ifaddrs *first = NULL;
    // Without an answer, nothing is known to be missing.
    if (getifaddrs(&first) != 0) return 1;
    int found = 0;
    for (struct ifaddrs *item = first; item && !found; item = item->ifa_next) {
        unsigned int needed = IFF_UP | IFF_RUNNING;
        if (!item->ifa_addr || (item->ifa_flags & needed) != needed || item->ifa_flags & IFF_LOOPBACK) continue;
        found = item->ifa_addr->sa_family == AF_INET || item->ifa_addr->sa_family == AF_INET6;
    }
    freeifaddrs(first);
    return found;
}
