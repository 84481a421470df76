import CProcess
import Glibc

/// A file of memory whose size never changes, and its bytes in this process.
///
/// `@unchecked Sendable`: the address never changes.
package final class SharedMemory: @unchecked Sendable {
    package let file: OwnedDescriptor
    package let bytes: UnsafeMutableRawBufferPointer

    /// All bytes are zero, and there: the first touch of each page costs more than a decode's work on it.
    package init(byteCount: Int) throws(SystemFailure) {
        file = try Self.makeFile(byteCount: byteCount)
        guard let bytes = Self.map(file.number, byteCount: byteCount) else { throw SystemFailure(code: ENOMEM) }
        self.bytes = bytes
        let code = webimage_seal_memory_file(file.number, false)
        guard code == 0 else {
            munmap(bytes.baseAddress, bytes.count)
            throw SystemFailure(code: code)
        }
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }

    /// Deletes all bytes that another process has written.
    func clear() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }

    static func map(_ file: CInt, byteCount: Int) -> UnsafeMutableRawBufferPointer? {
        guard byteCount > 0 else { return nil }
        let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0)
        guard let address, address != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    private static func makeFile(byteCount: Int) throws(SystemFailure) -> OwnedDescriptor {
        let file = webimage_make_memory_file(Int64(byteCount))
        guard file >= 0 else { throw SystemFailure(code: -file) }
        return OwnedDescriptor(file)
    }

    /// A file with these bytes that no process can change.
    package static func sealedFile(of bytes: UnsafeRawBufferPointer) throws(SystemFailure) -> OwnedDescriptor {
        let file = try makeFile(byteCount: bytes.count)
        var done = 0
        while done < bytes.count {
            let count = pwrite(file.number, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFailure(code: errno) }
            done += count
        }
        let code = webimage_seal_memory_file(file.number, true)
        guard code == 0 else { throw SystemFailure(code: code) }
        return file
    }
}
