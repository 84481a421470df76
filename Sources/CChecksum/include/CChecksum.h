#pragma once

#include <stddef.h>
#include <stdint.h>

/// XXH3 of 64 bits with seed 0 and the usual secret, as https://github.com/Cyan4973/xxHash defines it. Any alignment.
uint64_t webimage_xxh3(const void *bytes, size_t count);
