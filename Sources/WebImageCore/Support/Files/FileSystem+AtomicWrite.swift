import FoundationEssentials
import Glibc

extension FileSystem {
    /// Writes a file so that readers see the old one, the new one or none, but never a part, and so that a failure
    /// leaves no partial file.
    ///
    /// Nothing is forced to the disk: after a power loss the file may be damaged, so every reader checks it.
    ///
    /// - Parameter isThere: Whether there is an old file, as far as the caller knows: saves a call.
    package func writeAtomically(
        _ parts: [Data], to path: String, isThere: Bool = false
    ) throws(FileSystemError) {
        try writeAtomically(to: path, isThere: isThere) { file throws(FileSystemError) in try write(parts, to: file) }
    }

    /// The same with a file that `write` fills. Where the file system lacks a call, it is called again with another file.
    package func writeAtomically(
        to path: String, isThere: Bool = false, write: (OpenFile) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        if isThere { return try writeNamed(path, write) }
        let unnamed: OpenFile
        do {
            unnamed = try createUnnamed(in: path.directoryName)
        } catch {
            guard error.meansNoUnnamedFiles else { throw error }
            return try writeNamed(path, write)
        }
        defer { close(unnamed) }
        try write(unnamed)
        do {
            try link(unnamed, to: path)
        } catch let error where error.code == EEXIST {
            try replace(path) { temporary throws(FileSystemError) in try link(unnamed, to: temporary) }
        } catch let error where error.isNotFound {
            // Linking uses /proc, which some containers lack.
            try writeNamed(path, write)
        }
    }

    private func writeNamed(
        _ path: String, _ write: (OpenFile) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        try replace(path) { temporary throws(FileSystemError) in
            let file = try create(temporary)
            defer { close(file) }
            try write(file)
        }
    }

    /// Calls `make` to make a file beside `path`, and renames that to `path`.
    package func replace(
        _ path: String, make: (_ temporary: String) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        let temporary = "\(path.directoryName)/\(TemporaryName.make())"
        do {
            try make(temporary)
            try rename(temporary, to: path)
        } catch {
            try? remove(temporary)
            throw error
        }
    }
}

/// Names of files that are being written: their prefix identifies the ones that a crash has left.
package enum TemporaryName {
    private static let beginning = ".webimage-"

    package static func make() -> String {
        beginning + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    package static func matches(_ name: String) -> Bool { name.hasPrefix(beginning) }
}

extension FileSystemError {
    /// Old kernels and some file systems take this for opening the directory itself, or refuse the flags.
    fileprivate var meansNoUnnamedFiles: Bool { [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(code) }
}

extension String {
    /// The path up to its last slash; `.` when it has none.
    package var directoryName: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }
}
