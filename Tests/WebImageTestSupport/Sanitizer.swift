import Glibc

/// The sanitizer that the tests run under.
public enum Sanitizer {
    /// Whether the address or the thread sanitizer watches this process. Both are slow, and take more memory than any limit.
    public static let isActive = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
