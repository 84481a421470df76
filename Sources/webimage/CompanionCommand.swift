import Glibc
import WebImage
import WebImageCommandLine

/// A subcommand that is a program of its own, because it needs libraries that a server does not have.
struct CompanionCommand {
    let description: CommandDescription
    /// The advice when the program is missing, after "there is no PROGRAM beside this program or on the PATH".
    let advice: String

    static let transition = CompanionCommand(
        description: TransitionOptions.description,
        advice: """
            it needs GTK 4 (Debian: apt-get install libgtk-4-1; to build it, libgtk-4-dev and libwebp-dev, and \
            swift build --product webimage-transition without WEBIMAGE_WITHOUT_GTK)
            """)

    private var name: String { description.name }

    /// `webimage-transition` for `transition`.
    private var program: String { "webimage-\(name)" }

    /// Replaces this process by the other program, with the same arguments; returns only when that fails.
    func run(_ arguments: [String], on console: Console) -> ExitCode {
        guard let path = searchPath.lazy.map({ "\($0)/\(program)" }).first(where: Self.isProgram) else {
            console.printError("\(name): there is no \(program) beside this program or on the PATH; \(advice)")
            return .failed
        }
        Self.become(path, [program] + arguments)
        console.printError("\(name): cannot start \(path.printable): \(SystemError(errno))")
        return .failed
    }

    /// The directory of this program, then those of the PATH.
    private var searchPath: [String] {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return [Self.ownDirectory].compactMap(\.self)
            + path.split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
    }

    private static var ownDirectory: String? {
        guard let path = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(path) }
        let text = String(cString: path)
        return text.lastIndex(of: "/").map { String(text[..<$0]) }
    }

    private static func isProgram(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    private static func become(_ path: String, _ arguments: [String]) {
        // Dispatch's threads block signals, and the program would inherit the mask: Control-C would not reach it.
        var signals = sigset_t()
        sigemptyset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        var pointers = arguments.map { strdup($0) } + [nil]
        execv(path, &pointers)
        for pointer in pointers { free(pointer) }
    }
}
