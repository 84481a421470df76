import FoundationEssentials
import Glibc

/// Standard output or standard error.
package struct OutputDescriptor: Sendable {
    package static let standardOutput = OutputDescriptor(number: STDOUT_FILENO)
    package static let standardError = OutputDescriptor(number: STDERR_FILENO)

    let number: Int32

    var isTerminal: Bool { isatty(number) == 1 }

    /// nil when it is no terminal. Read each time, because windows change.
    var terminalSize: TerminalSize? {
        var size = winsize()
        guard isTerminal, ioctl(number, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return TerminalSize(size)
    }

    /// Writes all bytes.
    ///
    /// - Returns: 0, or the system's `errno`: `EPIPE` after the reader has closed the pipe, given that the signal is
    ///   ignored.
    func write(_ bytes: Data) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    guard errno == EINTR || waitUntilWritable() else { return errno }
                } else {
                    rest = rest.dropFirst(count)
                }
            }
            return 0
        }
    }

    /// A non-blocking descriptor, as pipes of some shells are, returns `EAGAIN` while it is full.
    private func waitUntilWritable() -> Bool {
        guard errno == EAGAIN else { return false }
        var question = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        return poll(&question, 1, -1) >= 0 || errno == EINTR
    }
}
