import CSpawn
import Foundation
import Glibc

/// A child process of the tests.
///
/// Not Foundation's `Process`: it iterates over the open descriptors by copying more of each directory entry than there
/// is, which occasionally crashes a test run, more often with more open descriptors.
final class ChildProcess: Sendable {
    struct NotStarted: Error {
        let executable: String
        let code: Int32
    }

    let identifier: pid_t

    /// Starts a program with no signal blocked, and with only the given descriptors open.
    ///
    /// - Parameter environment: nil for that of the tests.
    init(
        _ executable: URL, _ arguments: [String], environment: [String: String]? = nil, directory: URL? = nil,
        input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        for (handle, target) in [(output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            if let handle {
                posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
            }
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory.path) }
        identifier = try Self.spawn(
            executable.path, [executable.path] + arguments, environment ?? ProcessInfo.processInfo.environment, &actions
        )
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        // The threads of tasks block signals, and the tests' program ignores some: a child would inherit both.
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words = arguments.map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + settings { free(word) } }
        var identifier: pid_t = 0
        var code = posix_spawn(&identifier, path, &actions, &attributes, &words, &settings)
        // A program that was copied just now is busy as long as a child that began meanwhile has not closed the copy.
        for _ in 0..<1000 where code == ETXTBSY {
            poll(nil, 0, 5)
            code = posix_spawn(&identifier, path, &actions, &attributes, &words, &settings)
        }
        guard code == 0 else { throw NotStarted(executable: path, code: code) }
        return identifier
    }

    /// Its exit status, or the number of the signal that killed it, once it has ended. Call it once.
    func wait() async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread { [identifier] in continuation.resume(returning: Self.status(of: identifier)) }.start()
        }
    }

    /// The same, blocking the calling thread.
    static func status(of identifier: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : signal
    }
}
