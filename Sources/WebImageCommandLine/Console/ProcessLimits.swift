import CLinux
import Glibc
import WebImage

/// The least that a program needs of files and threads. Below it, Dispatch ends the program with an illegal instruction, or
/// waits without an end; so this is asked before Dispatch is used.
package enum ProcessLimits {
    /// For Dispatch itself, a picture, its output and the cache.
    private static let fileCount = 16
    /// For Dispatch's manager, its pools and the network.
    private static let threadCount = Int32(4 + 2 * ProcessorCount.current)

    /// Ends the program with an error where it could not go on.
    package static func check() {
        if let problem { exit(Console().fail(problem).rawValue) }
    }

    /// nil where there is enough of both.
    static var problem: String? {
        if !canOpenFiles {
            return "the process may open fewer than \(fileCount) more files; raise its limit (ulimit -n)"
        }
        if !webimage_can_start_threads(threadCount) {
            return "the process may start fewer than \(threadCount) more threads; raise its limit (ulimit -u)"
        }
        return nil
    }

    private static var canOpenFiles: Bool {
        let descriptors = (0..<fileCount).map { _ in dup(STDIN_FILENO) }
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
        return !descriptors.contains { $0 < 0 }
    }
}

extension Console {
    fileprivate func fail(_ problem: String) -> ExitCode {
        printError(problem)
        return .failed
    }
}
