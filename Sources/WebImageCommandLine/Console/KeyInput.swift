import Dispatch
import Glibc
import Synchronization

/// The keys that a person presses, without a line's end and without an echo, while standard input is a terminal. The
/// terminal is as before when this ends, and when the program is interrupted.
package final class KeyInput: Sendable {
    /// The terminal's settings before, for ``restore()``.
    private static let former = Mutex<termios?>(nil)

    private let source: Source

    /// `@unchecked Sendable`: a Dispatch source may be cancelled on any thread.
    private final class Source: @unchecked Sendable {
        let source: any DispatchSourceRead
        init(_ source: any DispatchSourceRead) { self.source = source }
        deinit { source.cancel() }
    }

    /// - Parameter pressed: Called on the main queue.
    /// - Returns: nil when standard input is no terminal, or belongs to another job.
    package init?(_ pressed: @escaping @Sendable (Key) -> Void) {
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        Self.former.withLock { $0 = settings }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Control-C interrupts; what suspends or kills the program at once would leave the terminal as it is now.
        withUnsafeMutableBytes(of: &settings.c_cc) { keys in
            for key in [VSUSP, VQUIT] { keys[Int(key)] = 0 }
        }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        let reading = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        reading.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return reading.cancel() }
            for key in Key.keys(in: bytes.prefix(count)) { pressed(key) }
        }
        reading.activate()
        source = Source(reading)
    }

    deinit { Self.restore() }

    /// Gives the terminal back its settings, and its cursor; without effect while no keys are read.
    package static func restore() {
        former.withLock { former in
            guard var settings = former else { return }
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
            former = nil
            let showCursor = Array("\u{1B}[?25h".utf8)
            if isatty(STDOUT_FILENO) == 1 { _ = write(STDOUT_FILENO, showCursor, showCursor.count) }
        }
    }
}

/// A key.
package enum Key: Sendable, Hashable {
    case character(Character)
    case left, right, up, down
    case escape

    /// The keys whose bytes a terminal has sent: ECMA-48 sequences for arrows, and ASCII. Others are dropped.
    package static func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x1B else {
                if byte < 0x80 { keys.append(.character(Character(UnicodeScalar(byte)))) }
                continue
            }
            guard let next = rest.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else {
                keys.append(.escape)
                continue
            }
            rest.removeFirst()
            while let byte = rest.popFirst() {
                guard (0x40...0x7E).contains(byte) else { continue }
                if let arrow = arrows[byte] { keys.append(arrow) }
                break
            }
        }
        return keys
    }

    private static let arrows: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    ]
}
