#pragma once
#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>
#include <pthread.h>

// Declared for _GNU_SOURCE only, which a module map cannot define.
int pthread_setname_np(pthread_t thread, const char *name);
