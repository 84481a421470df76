#define _GNU_SOURCE
#include "Canary.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

static const char content[] = "pristine";

static bool make_file(webimage_canary_targets *targets, const char *directory) {
    snprintf(targets->directory, sizeof targets->directory, "%s", directory);
    snprintf(targets->file, sizeof targets->file, "%s/file", targets->directory);
    // One that an attempt has linked to has a second name.
    unlink(targets->file);
    targets->file_descriptor = open(targets->file, O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct timespec times[2] = {{1000, 0}, {1000, 0}};
    return write(targets->file_descriptor, content, 8) == 8 && futimens(targets->file_descriptor, times) == 0;
}

// The smallest program that does something: a script.
static bool make_program(webimage_canary_targets *targets) {
    const char script[] = "#!/bin/true\n";
    targets->program = memfd_create("program", 0);
    return write(targets->program, script, sizeof script - 1) > 0 && fchmod(targets->program, 0700) == 0;
}

static bool listen_on_port(webimage_canary_targets *targets) {
    int listener = targets->listeners[0] = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    bool is_bound = bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 64) == 0
        && getsockname(listener, (struct sockaddr *)&address, &size) == 0;
    targets->port = address.sin_port;
    return is_bound;
}

static bool listen_on_name(webimage_canary_targets *targets) {
    int listener = targets->listeners[1] = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(targets->name, sizeof targets->name, "canary-%d", (int)getpid());
    memcpy(address.sun_path + 1, targets->name, strlen(targets->name));
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(targets->name));
    return bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 64) == 0;
}

static bool open_terminal(webimage_canary_targets *targets) {
    int master = targets->master = posix_openpt(O_RDWR | O_NOCTTY);
    if (grantpt(master) != 0 || unlockpt(master) != 0) return false;
    targets->terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    return targets->terminal >= 0;
}

static bool connect_pair(webimage_canary_targets *targets) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    targets->inbox = ends[0];
    targets->peer = ends[1];
    return send(targets->peer, "message!", 8, MSG_OOB) == 8;
}

static bool start_sibling(webimage_canary_targets *targets) {
    targets->sibling = fork();
    if (targets->sibling == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        for (;;) pause();
    }
    return targets->sibling > 0;
}

bool webimage_canary_prepare(webimage_canary_targets *targets, const char *directory) {
    targets->parent = getpid();
    targets->secret = 42;
    targets->success = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (targets->success == MAP_FAILED) return false;
    return make_file(targets, directory) && make_program(targets) && listen_on_port(targets) && listen_on_name(targets)
        && open_terminal(targets) && connect_pair(targets) && start_sibling(targets);
}

void webimage_canary_finish(const webimage_canary_targets *targets) {
    kill(targets->sibling, SIGKILL);
    waitpid(targets->sibling, NULL, 0);
    munmap(targets->success, 1);
    const int open[] = {targets->file_descriptor, targets->program,      targets->terminal,
                        targets->master,          targets->listeners[0], targets->listeners[1],
                        targets->inbox,           targets->peer};
    for (size_t index = 0; index < sizeof open / sizeof *open; index++) close(open[index]);
}

static const char *harm_of_file(const webimage_canary_targets *targets) {
    char found[9] = {0};
    struct stat state;
    if (stat(targets->file, &state) != 0) return "the file is gone";
    if (state.st_nlink != 1) return "the file has another name";
    if (state.st_size != 8 || pread(targets->file_descriptor, found, 8, 0) != 8 || memcmp(found, content, 8) != 0) {
        return "the file has other bytes";
    }
    if ((state.st_mode & 07777) != 0600 || state.st_uid != geteuid()) return "the file has other rights";
    return state.st_mtim.tv_sec == 1000 ? NULL : "the file has another date";
}

const char *webimage_canary_harm(const webimage_canary_targets *targets) {
    if (targets->secret != 42) return "the parent's memory is changed";
    if (waitpid(targets->sibling, NULL, WNOHANG) != 0) return "the sibling has ended";
    return harm_of_file(targets);
}
