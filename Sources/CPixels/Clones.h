#pragma once

// Compiles a function for several generations of x86-64; the loader picks the best at program start. Other platforms
// have only the plain function. The resolvers run before the thread sanitizer is ready, so it gets the plain function,
// too.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEBIMAGE_UNDER_THREAD_SANITIZER 1
#endif
#endif

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(WEBIMAGE_UNDER_THREAD_SANITIZER)
#define WEBIMAGE_CLONES __attribute__((target_clones("avx512bw", "avx2", "default")))
#else
#define WEBIMAGE_CLONES
#endif
