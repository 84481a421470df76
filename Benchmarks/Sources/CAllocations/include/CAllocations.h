#pragma once

/// How often the calling thread has asked for memory so far.
unsigned long webimage_allocation_count(void);
