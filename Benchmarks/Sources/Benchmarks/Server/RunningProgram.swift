import FoundationEssentials
import Glibc

/// A program that runs beside the benchmark, and ends with this object.
final class RunningProgram {
    let identifier: pid_t

    /// - Parameter arguments: Behind the program's name, which is looked for in the PATH.
    init(_ program: String, _ arguments: [String]) throws {
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for output in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        // Threads of tasks block signals, which a program would inherit: it could not be ended.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child: pid_t = 0
        guard posix_spawnp(&child, program, &actions, &attributes, &words, environ) == 0 else {
            throw BenchmarkError("\(program) cannot be started; run scripts/bootstrap --with-benchmarks")
        }
        identifier = child
    }

    deinit {
        kill(identifier, SIGTERM)
        var status: CInt = 0
        waitpid(identifier, &status, 0)
    }

    /// The sum of a number of `/proc/PID/status` over the program and its children, in megabytes.
    func megabytes(_ name: String) -> Double {
        let children = (try? String(contentsOfFile: "/proc/\(identifier)/task/\(identifier)/children", encoding: .utf8))
        let identifiers = [identifier] + (children ?? "").split(separator: " ").compactMap { pid_t($0) }
        return identifiers.map { Self.kilobytes(name, of: $0) }.reduce(0, +) / 1024
    }

    private static func kilobytes(_ name: String, of identifier: pid_t) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst().first }.flatMap { Double($0) } ?? 0
    }
}
