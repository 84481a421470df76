#pragma once
#include <fcntl.h>
#include <getopt.h>
#include <sys/stat.h>
#include <unistd.h>
