import FoundationEssentials
import Glibc

/// Child processes of benchmarks.
enum Child {
    /// Runs this program again with `arguments` and returns its peak memory in megabytes.
    static func peakMegabytes(_ arguments: [String]) throws -> Double {
        let report = TemporaryDirectory()
        let path = report.path + "/peak"
        try spawn("/proc/self/exe", arguments + [path])
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard let kilobytes = Double(text) else { throw BenchmarkError("\(path) is not a number of kilobytes") }
        return kilobytes / 1024
    }

    /// The same for another program of this package, which prints `/proc/self/status` at its end.
    static func peakMegabytes(ofProgram program: String, _ arguments: [String]) throws -> Double {
        let report = TemporaryDirectory()
        let path = report.path + "/status"
        try spawn("sh", ["-c", "exec \"$@\" > \"$0\"", path, try Self.program(program)] + arguments)
        return try peakKilobytes(in: path) / 1024
    }

    /// The path of another program of this package.
    static func program(_ name: String) throws -> String {
        let place = String(decoding: try readLink("/proc/self/exe").prefix { $0 != 0 }, as: UTF8.self)
        let directory = place.split(separator: "/").dropLast().joined(separator: "/")
        return "/\(directory)/\(name)"
    }

    private static func readLink(_ path: String) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, buffer.count - 1) } ?? -1
        }
        guard count > 0 else { throw BenchmarkError("\(path) cannot be read") }
        return bytes
    }

    /// Writes the peak memory of this process so far, in kilobytes. The kernel's `ru_maxrss` also counts the parent's
    /// memory at the time of the fork.
    static func reportPeak(to path: String) throws {
        try Data(String(try peakKilobytes(in: "/proc/self/status")).utf8).write(to: URL(filePath: path))
    }

    private static func peakKilobytes(in path: String) throws -> Double {
        let status = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) }) else {
            throw BenchmarkError("\(path) has no VmHWM: \(status)")
        }
        return number
    }

    /// Runs a program on the PATH, and drops its output.
    static func run(_ program: String, _ arguments: [String]) throws {
        try spawn(program, arguments)
    }

    /// Seconds that a program on the PATH takes, elapsed ones and those of the processors.
    static func cost(_ program: String, _ arguments: [String]) throws -> (elapsed: Double, processor: Double) {
        let before = childSeconds()
        let elapsed = try seconds { try spawn(program, arguments) }
        return (elapsed, childSeconds() - before)
    }

    /// Processor time of all children that have ended.
    private static func childSeconds() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func spawn(_ program: String, _ arguments: [String]) throws {
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        guard posix_spawnp(&child, program, &actions, nil, &words, environ) == 0 else {
            throw BenchmarkError("\(program) cannot be started; run scripts/bootstrap --with-benchmarks")
        }
        var status: CInt = 0
        guard waitpid(child, &status, 0) == child, status == 0 else {
            throw BenchmarkError("\(program) \(arguments.joined(separator: " ")) failed")
        }
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A directory that is removed with this object.
final class TemporaryDirectory {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/webimage-bench-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
