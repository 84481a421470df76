import FoundationEssentials
import Glibc
import WebImage

/// A file that is written completely or not at all, in a directory that is made where it is missing.
///
/// A file that exists is replaced by a rename and keeps its mode and, as far as the system permits, its owner. Where
/// its name is a symbolic link, the link stays.
package struct OutputFile {
    package let path: String
    private let rules: OutputRules

    package init(path: String, rules: OutputRules = OutputRules()) {
        self.path = path
        self.rules = rules
    }

    /// Writes a temporary file beside it and renames that; writes directly to devices and pipes.
    ///
    /// - Returns: Whether it was written: false for a file that exists and that the rules keep.
    /// - Throws: ``WebImageError/Code/diskFull``, ``WebImageError/Code/accessDenied``,
    ///   ``WebImageError/Code/fileNotFound`` or ``WebImageError/Code/fileFailed``, the last one also for an input of
    ///   the command.
    @discardableResult
    package func write(_ data: Data) throws(WebImageError) -> Bool { try begin(data)?.finish() ?? true }

    /// Writes a temporary file beside it, for the caller to rename when everything else is written; nil for a device or
    /// a pipe, which is written directly.
    ///
    /// - Throws: As ``write(_:)``.
    package func begin(_ data: Data) throws(WebImageError) -> UnfinishedFile? {
        guard case .file(let destination, let existing) = try permittedPlace() else {
            try write(data, to: path, flags: O_WRONLY | O_CLOEXEC)
            return nil
        }
        let directory = OutputPlace.directory(of: destination)
        if !directory.isEmpty { try OutputDirectory(directory).make() }
        return try UnfinishedFile(
            path: destination, directory: directory, keepsExisting: rules.keepsExisting
        ) { temporary throws(WebImageError) in
            try write(data, to: temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, like: existing)
        }
    }

    /// Checks, before there is data, that the file can be created.
    ///
    /// - Throws: As ``write(_:)``.
    package func check() throws(WebImageError) {
        guard case .file(let destination, _) = try permittedPlace() else { return }
        try OutputDirectory(OutputPlace.directory(of: destination)).checkWritable(for: path)
    }

    /// Whether a file exists that the rules keep.
    package var isKept: Bool { rules.keepsExisting && FileIdentity(path: path) != nil }

    private func permittedPlace() throws(WebImageError) -> OutputPlace {
        let place = try OutputPlace(path)
        if case .file(_, let existing?) = place, rules.protects(FileIdentity(existing)) {
            throw rules.refusal(of: path)
        }
        return place
    }

    private func write(_ data: Data, to file: String, flags: Int32, like existing: stat? = nil) throws(WebImageError) {
        // Never more permissive than the file that it replaces, not even for a moment.
        let descriptor = open(file, flags, existing.map { $0.st_mode & 0o777 } ?? 0o666)
        guard descriptor >= 0 else { throw failure() }
        if let existing { Self.adopt(existing, descriptor) }
        let code = OutputDescriptor(number: descriptor).write(data)
        let isClosed = close(descriptor) == 0
        if code != 0 { throw failure(code) }
        // Network file systems may report a full disk here only.
        if !isClosed { throw failure() }
    }

    /// Gives a new file the owner and the mode of the one that it replaces. Errors are ignored: file systems without
    /// modes report them.
    private static func adopt(_ existing: stat, _ descriptor: Int32) {
        let hasOwner = fchown(descriptor, existing.st_uid, existing.st_gid) == 0
        // The bits that lend an owner's rights are for that owner only.
        _ = fchmod(descriptor, existing.st_mode & (hasOwner ? 0o7777 : 0o777))
    }

    private func failure(_ code: Int32 = errno) -> WebImageError { SystemError(code).writing(path.printable) }
}
