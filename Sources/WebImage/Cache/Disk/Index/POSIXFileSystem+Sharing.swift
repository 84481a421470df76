import CLinux
import FoundationEssentials
import Glibc

extension POSIXFileSystem {
    package func openToAppend(_ path: String) throws(FileSystemError) -> OpenFile {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let file = OpenFile(descriptor: try retrying(.create, path) { open(path, flags, 0o600) }, path: path)
        guard try status(of: file).kind == .file else {
            close(file)
            throw FileSystemError(.create, path, code: EINVAL)
        }
        return file
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

    package func lock(_ file: OpenFile, _ lock: FileLock, waits: Bool) throws(FileSystemError) -> Bool {
        let kind =
            switch lock {
            case .shared: LOCK_SH
            case .exclusive: LOCK_EX
            case .none: LOCK_UN
            }
        do {
            try retrying(.lock, file.path) { flock(file.descriptor, kind | (waits ? 0 : LOCK_NB)) }
            return true
        } catch let error where error.code == EWOULDBLOCK {
            return false
        }
    }

    package func map(_ file: OpenFile) throws(FileSystemError) -> SharedPage {
        guard try status(of: file).size >= SharedPage.size else {
            throw FileSystemError(.map, file.path, code: EINVAL)
        }
        guard let page = SharedPage(descriptor: file.descriptor) else {
            throw FileSystemError(.map, file.path, code: errno)
        }
        return page
    }

    package func forEachItem(
        of directory: String, _ body: (RawSpan, FileStatus) -> Void
    ) throws(FileSystemError) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try retrying(.list, directory) { open(directory, flags) }
        guard let stream = fdopendir(descriptor) else {
            let code = errno
            _ = Glibc.close(descriptor)
            throw FileSystemError(.list, directory, code: code)
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            // The name in place: an entry is only as long as its name, so the structure must not be copied.
            let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let text = name.assumingMemoryBound(to: CChar.self)
            let length = strlen(text)
            let isDotted = length <= 2 && text[0] == 46 && text[length - 1] == 46
            var information = stat()
            guard !isDotted, fstatat(descriptor, text, &information, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            body(UnsafeRawBufferPointer(start: name, count: length).bytes, FileStatus(information))
        }
    }
}
