#pragma once

/// From now on, the process ends with this status where it gets no memory. For its lifetime; any thread.
void webimage_end_without_memory(int status);
