#pragma once
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

// A socket that does not block, on which the kernel tells of changes of addresses and routes; -1 for none.
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
