import FoundationEssentials
import Glibc
import Synchronization

/// The log of the library: warnings that an app needs and that no load can report.
///
/// An example is a cache directory that cannot be written: loads still succeed, from the network. Loads without trouble
/// log nothing, and the same trouble is logged once, not once per picture.
///
/// ```swift
/// WebImageLog.setHandler { message in logger.warning("\(message)") }
/// ```
public enum WebImageLog {
    private typealias Handler = @Sendable (_ message: String) -> Void

    /// In a structure, since a `Mutex` wraps a bare closure in another one at each access.
    private struct Output {
        var handler: Handler
    }

    private static let output = Mutex(Output(handler: writeToStandardError))

    /// Sends warnings to `handler` from now on; nil restores the default, a line on standard error.
    ///
    /// - Parameter handler: Gets one message, a line without a line break. Called on any thread; must not block.
    public static func setHandler(_ handler: (@Sendable (_ message: String) -> Void)?) {
        let new = Output(handler: handler ?? writeToStandardError)
        // The app's handler, released outside the lock: its deinitializer may log a warning.
        let old = output.withLock { output in
            defer { output = new }
            return output
        }
        withExtendedLifetime(old) {}
    }

    /// Logs `message` with the current handler, without the passwords of URLs and without control characters.
    package static func warn(_ message: String) {
        let current = output.withLock { $0 }
        current.handler(message.withoutPasswords.withoutControls)
    }

    private static let writeToStandardError: Handler = { message in
        let line = Data("WebImage: \(message)\n".utf8)
        line.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
