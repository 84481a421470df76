import FoundationEssentials
import Glibc
import Synchronization

/// The one place where warnings go: things that an app should know of and that no load can report.
///
/// A cache directory that cannot be written is such a thing: loads still succeed, from the network. Nothing is logged
/// on the fast road, and the same trouble is logged once, not once per picture.
///
/// ```swift
/// WebImageLog.setHandler { message in logger.warning("\(message)") }
/// ```
public enum WebImageLog {
    /// Gets one message, a line without a line break. Called on any thread; must not block.
    public typealias Handler = @Sendable (_ message: String) -> Void

    /// In a structure, since a `Mutex` of a closure wraps it anew at each look.
    private struct Output {
        var handler: Handler
    }

    private static let output = Mutex(Output(handler: writeToStandardError))

    /// Sends warnings to `handler` from now on; nil restores the default, a line on standard error.
    public static func setHandler(_ handler: Handler?) {
        let new = Output(handler: handler ?? writeToStandardError)
        // The app's own, let go outside the lock: it may hold something that warns when it goes.
        let old = output.withLock { output in
            defer { output = new }
            return output
        }
        withExtendedLifetime(old) {}
    }

    /// Reports `message` to the handler in force.
    package static func warn(_ message: String) {
        let current = output.withLock { $0 }
        current.handler(message)
    }

    private static let writeToStandardError: Handler = { message in
        let line = Data("WebImage: \(message)\n".utf8)
        line.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
