#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer as a function: calls `run` with one input after the other, until it finds something or its time is up.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));
