#pragma once

#include <spawn.h>
#include <sys/fsuid.h>
#include <sys/mount.h>

// glibc 2.29 and 2.34 have these functions; the header declares them only for GNU extensions that are enabled before
// any header, which Swift's modules cannot do.
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
