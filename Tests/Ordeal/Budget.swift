import FoundationEssentials
import Glibc

/// The kernel's limits for this program.
enum Budget {
    /// The size of the used address space in bytes.
    static func addressSpace() -> UInt {
        let statement = (try? Data(contentsOf: URL(filePath: "/proc/self/statm"))).map {
            String(decoding: $0, as: UTF8.self)
        }
        let pages = statement?.split(separator: " ").first.flatMap { UInt($0) } ?? 0
        return pages * UInt(sysconf(Int32(_SC_PAGESIZE)))
    }

    static var isSanitized: Bool { dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil }

    /// Allocations beyond it fail, as on a machine without more memory.
    static func limitMemory(to byteCount: UInt) {
        // The sanitizers reserve more than any limit.
        guard !isSanitized else { return }
        var limit = rlimit(rlim_cur: byteCount, rlim_max: byteCount)
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    }

    /// From now on; the kernel kills the program at the end of the time.
    static func allowProcessorTime(_ seconds: UInt) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let used = UInt(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        var limit = rlimit(rlim_cur: used + seconds + 1, rlim_max: rlim_t.max)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    }

    /// Unbuffered: the next file may kill the program.
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
