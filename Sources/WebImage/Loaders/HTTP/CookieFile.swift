import CLinux
import Glibc

/// A file that cookies are read from, and that is written anew.
enum CookieFile {
    /// As much as is read: what is no cookie stands at the beginning.
    private static let length = 64 << 10

    /// Whether nothing but cookies would be lost: the file has none yet, or its first line that is no comment is one, in
    /// Netscape's format or as a header field.
    static func isPlausible(_ file: String) -> Bool {
        guard let bytes = beginning(of: file) else { return true }
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard let first = lines.first(where: { !isComment($0) }) else { return true }
        return first.count(where: { $0 == UInt8(ascii: "\t") }) == 6 || first.starts(with: "Set-Cookie:".utf8)
    }

    /// A line that libcurl ignores; cookies that scripts do not see look like one.
    private static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "#") && !line.starts(with: "#HttpOnly_".utf8)
    }

    /// nil for what is no ordinary file, or cannot be read.
    private static func beginning(of file: String) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, length))
        }
    }
}
