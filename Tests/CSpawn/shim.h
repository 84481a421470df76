#pragma once

#include <spawn.h>
#include <sys/fsuid.h>
#include <sys/mount.h>

// glibc 2.29 and 2.34; its header shows them to programs that ask for GNU extensions before any header is read, which
// Swift's modules cannot.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
