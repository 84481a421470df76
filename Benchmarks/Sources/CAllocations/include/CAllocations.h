#pragma once
#include <malloc.h> // malloc_trim, which Swift's Glibc module lacks

/// How often the calling thread has asked for memory so far.
unsigned long webimage_allocation_count(void);

/// How many bytes it has asked for.
unsigned long webimage_allocated_byte_count(void);
