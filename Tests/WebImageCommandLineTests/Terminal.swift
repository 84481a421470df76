import Foundation
import Glibc

/// A pseudo-terminal of 80 columns and 24 rows.
final class Terminal: Sendable {
    /// The program's end.
    let program: FileHandle
    private let master: Int32

    /// TIOCSPTLCK and TIOCGPTN (asm-generic/ioctls.h), which are expressions that Swift does not import.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number) = (Int32(0), Int32(0))
        guard ioctl(master, Self.setLock, &locked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            throw POSIXError(.ENXIO)
        }
        let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw POSIXError(.ENXIO) }
        program = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        resize(columns: 80)
    }

    deinit { close(master) }

    func resize(columns: UInt16) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Types as on a keyboard.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Stops the output as Control-S does: from now on, every writer blocks.
    func stop() {
        var controlS = UInt8(0x13)
        _ = write(master, &controlS, 1)
    }

    /// Waits for `text`, and returns the output up to its first occurrence; suspends the calling task, not its thread.
    func read(until text: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [master] in
                // Characters of several bytes may come in two pieces.
                var found = Data()
                var buffer = [UInt8](repeating: 0, count: 4096)
                while found.range(of: Data(text.utf8)) == nil {
                    let count = Glibc.read(master, &buffer, buffer.count)
                    guard count > 0 else { break }
                    found += buffer[..<count]
                }
                continuation.resume(returning: String(decoding: found, as: UTF8.self))
            }
        }
    }
}
