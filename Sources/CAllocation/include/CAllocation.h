#pragma once

/// From now on, the process ends with this status where it gets no memory. For its lifetime; any thread.
void webimage_end_without_memory(int status);
/// The same where the system has no thread for it; 0 for a process whose libraries do without.
void webimage_end_without_threads(int status);
