#pragma once

/// Lets all threads of this process, and those that they start, run on the first `count` of its processors only; on all
/// of them for 0. Returns 0, or -1 on failure.
int webimage_use_processors(int count);
