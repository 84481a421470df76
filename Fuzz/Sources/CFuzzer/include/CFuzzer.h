#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer as a function: calls `run` with inputs until it finds a failure or its time is up.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
