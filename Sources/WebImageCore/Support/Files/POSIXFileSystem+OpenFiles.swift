import CLinux
import FoundationEssentials
import Glibc

extension POSIXFileSystem {
    package func openToRead(_ path: String) throws(FileSystemError) -> OpenFile {
        let descriptor = try retrying(.read, path) {
            Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        }
        return try regular(OpenFile(descriptor: descriptor, path: path), .read)
    }

    package func openToChange(_ path: String) throws(FileSystemError) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = try retrying(.create, path) { Glibc.open(path, flags, 0o600) }
        return try regular(OpenFile(descriptor: descriptor, path: path), .create)
    }

    private func regular(
        _ file: OpenFile, _ operation: FileSystemError.Operation
    ) throws(FileSystemError) -> OpenFile {
        do throws(FileSystemError) {
            guard try status(of: file).kind == .file else { throw FileSystemError(operation, file.path, code: EINVAL) }
            return file
        } catch {
            close(file)
            throw error
        }
    }

    package func write(_ bytes: Data, to file: OpenFile, at offset: Int) throws(FileSystemError) {
        var written = 0
        while written < bytes.count {
            written += try retrying(.write, file.path) {
                bytes.withUnsafeBytes { buffer in
                    pwrite(
                        file.descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written,
                        offset + written)
                }
            }
        }
    }

    package func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        var failure: FileSystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            do throws(FileSystemError) {
                while filled < count {
                    let step = try retrying(.read, file.path) {
                        pread(file.descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, offset + filled)
                    }
                    guard step > 0 else { return }
                    filled += step
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
        var information = stat()
        try retrying(.status, file.path) { fstat(file.descriptor, &information) }
        return FileStatus(information)
    }

    package func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
        do {
            try retrying(.lock, file.path) { webimage_set_lock(file.descriptor, F_WRLCK) }
            return true
        } catch let error where error.code == EAGAIN || error.code == EACCES {
            return false
        }
    }

    package func unlock(_ file: OpenFile) { _ = webimage_set_lock(file.descriptor, F_UNLCK) }

    package func removeDirectory(_ path: String) throws(FileSystemError) {
        try retrying(.remove, path) { rmdir(path) }
    }

    package func forEachItem(
        of directory: String, _ body: (RawSpan, FileStatus) -> Void
    ) throws(FileSystemError) {
        var failure: FileSystemError?
        let end = forEachEntry(of: directory) { descriptor, name in
            let text = name.assumingMemoryBound(to: CChar.self)
            do throws(FileSystemError) {
                var information = stat()
                try retrying(.status, "\(directory)/\(String(cString: text))") {
                    fstatat(descriptor, text, &information, AT_SYMLINK_NOFOLLOW)
                }
                body(UnsafeRawBufferPointer(start: name, count: strlen(text)).bytes, FileStatus(information))
            } catch {
                // An entry that cannot be looked at hides no other. Lack of permission concerns all entries, since it
                // is a right to the directory; a damaged disk, or another file system mounted there, may concern one.
                if !error.isNotFound { failure = failure ?? error }
            }
        }
        if let failure { throw failure }
        try end.get()
    }

    package func forEachName(of directory: String, _ body: (RawSpan) -> Void) throws(FileSystemError) {
        let end = forEachEntry(of: directory) { _, name in
            body(UnsafeRawBufferPointer(start: name, count: strlen(name.assumingMemoryBound(to: CChar.self))).bytes)
        }
        try end.get()
    }

    /// Calls `body` with the open directory and the name of each entry.
    ///
    /// - Returns: Why the directory was not read to its end.
    private func forEachEntry(
        of directory: String, _ body: (Int32, UnsafeRawPointer) -> Void
    ) -> Result<Void, FileSystemError> {
        Result { () throws(FileSystemError) in try forEachEntryNow(of: directory, body) }
    }

    private func forEachEntryNow(
        of directory: String, _ body: (Int32, UnsafeRawPointer) -> Void
    ) throws(FileSystemError) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try retrying(.list, directory) { Glibc.open(directory, flags) }
        guard let stream = fdopendir(descriptor) else {
            let code = errno
            _ = Glibc.close(descriptor)
            throw FileSystemError(.list, directory, code: code)
        }
        defer { closedir(stream) }
        while true {
            // The end of the directory and an error differ in errno only.
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw FileSystemError(.list, directory, code: errno) }
                return
            }
            // Reads the name in place: the entry is only as long as its name, so the structure must not be copied.
            let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let text = name.assumingMemoryBound(to: CChar.self)
            let length = strlen(text)
            if length <= 2 && text[0] == 46 && text[length - 1] == 46 { continue }
            body(descriptor, name)
        }
    }
}
