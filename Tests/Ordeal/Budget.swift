import FoundationEssentials
import Glibc

/// What the kernel lets this program have.
enum Budget {
    /// Bytes of addresses that are in use now.
    static func addressSpace() -> UInt {
        let statement = (try? Data(contentsOf: URL(filePath: "/proc/self/statm"))).map {
            String(decoding: $0, as: UTF8.self)
        }
        let pages = statement?.split(separator: " ").first.flatMap { UInt($0) } ?? 0
        return pages * UInt(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Asking for more fails then, as where a machine has no more.
    static func limitMemory(to byteCount: UInt) {
        // The address sanitizer reserves more than any limit.
        guard dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil else { return }
        var limit = rlimit(rlim_cur: byteCount, rlim_max: byteCount)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }

    /// From now on; the kernel ends the program when they are over.
    static func allowProcessorTime(_ seconds: UInt) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let used = UInt(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        var limit = rlimit(rlim_cur: used + seconds + 1, rlim_max: rlim_t.max)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    }

    /// At once: the next file may end the program.
    static func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }

    static func peakMegabytes() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss >> 10
    }
}
