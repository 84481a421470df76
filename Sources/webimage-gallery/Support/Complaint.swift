import Glibc
import WebImage

/// One line on standard error.
func complain(_ message: String) {
    let line = Array("webimage-gallery: \(message.withoutControls)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
