import Glibc
import WebImage

/// The file that an output's name leads to.
enum OutputPlace {
    /// A regular file, or none yet. A rename to the path keeps the symbolic links that lead there.
    case file(path: String, existing: stat?)
    /// A device or a pipe, which a rename would replace.
    case special

    /// - Throws: ``WebImageError/Code/accessDenied`` for a file that must not be written, and for links without an end
    ///   ``WebImageError/Code/fileFailed``.
    init(_ name: String) throws(WebImageError) {
        var information = stat()
        let exists = stat(name, &information) == 0
        if exists, access(name, W_OK) != 0 { throw SystemError(errno).writing(name.printable) }
        guard !exists || information.st_mode & S_IFMT == S_IFREG else {
            self = .special
            return
        }
        let path = try Self.end(of: name)
        // A link in /proc may lead to a file that has lost its name.
        let isNamed = !exists || FileIdentity(path: path) == FileIdentity(information)
        self = isNamed ? .file(path: path, existing: exists ? information : nil) : .special
    }

    /// The directory of `path` with a trailing slash; empty for the working directory.
    static func directory(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// The kernel follows as many.
    private static let mostLinks = 40

    /// The path at the end of the links, where a file need not exist.
    private static func end(of name: String) throws(WebImageError) -> String {
        var path = name
        for _ in 0..<mostLinks {
            guard let target = try target(of: path) else { return path }
            path = target.hasPrefix("/") ? target : directory(of: path) + target
        }
        throw SystemError(ELOOP).writing(name.printable)
    }

    /// nil for what is no symbolic link.
    private static func target(of path: String) throws(WebImageError) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { return nil }
        let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SystemError(EILSEQ).writing(path.printable)
        }
        return text
    }
}
