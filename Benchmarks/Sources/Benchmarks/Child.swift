import FoundationEssentials
import Glibc

/// Programs that a benchmark runs beside itself.
enum Child {
    /// Runs this program again with `arguments` and returns the most memory that it held at once, in megabytes.
    static func peakMegabytes(_ arguments: [String]) throws -> Double {
        let usage = try spawn("/proc/self/exe", arguments)
        return Double(usage.ru_maxrss) / 1024
    }

    /// Runs a program found on PATH.
    static func run(_ program: String, _ arguments: [String]) throws {
        _ = try spawn(program, arguments)
    }

    private static func spawn(_ program: String, _ arguments: [String]) throws -> rusage {
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        guard posix_spawnp(&child, program, nil, nil, &words, environ) == 0 else {
            throw BenchmarkError("\(program) cannot be started; run scripts/bootstrap --with-benchmarks")
        }
        var status: CInt = 0
        var usage = rusage()
        guard wait4(child, &status, 0, &usage) == child, status == 0 else {
            throw BenchmarkError("\(program) \(arguments.joined(separator: " ")) failed")
        }
        return usage
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A directory that goes with the value.
final class TemporaryDirectory {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/webimage-bench-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
