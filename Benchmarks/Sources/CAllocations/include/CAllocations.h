#pragma once
#include <malloc.h> // malloc_trim, which Swift's Glibc module lacks

/// The number of allocations of the calling thread so far.
unsigned long webimage_allocation_count(void);

/// The number of bytes that it has allocated.
unsigned long webimage_allocated_byte_count(void);
