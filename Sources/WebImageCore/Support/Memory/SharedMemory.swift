import CProcess
import Glibc

/// A file of memory whose size never changes, and its bytes in this process.
///
/// `@unchecked Sendable`: the address never changes.
package final class SharedMemory: @unchecked Sendable {
    package let file: OwnedDescriptor
    package let bytes: UnsafeMutableRawBufferPointer

    /// All bytes are zero. The pages come with their first touch, which is the worker's: its limits end it then.
    package init(byteCount: Int) throws(SystemFailure) {
        file = try Self.makeFile(byteCount: byteCount)
        guard let bytes = Self.map(file.number, byteCount: byteCount) else { throw SystemFailure(code: ENOMEM) }
        self.bytes = bytes
        let code = webimage_seal_memory_file(file.number)
        guard code == 0 else {
            munmap(bytes.baseAddress, bytes.count)
            throw SystemFailure(code: code)
        }
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }

    /// Deletes all bytes that another process has written.
    package func clear() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }

    static func map(_ file: CInt, byteCount: Int) -> UnsafeMutableRawBufferPointer? {
        guard byteCount > 0 else { return nil }
        let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let address, address != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    private static func makeFile(byteCount: Int) throws(SystemFailure) -> OwnedDescriptor {
        let file = webimage_make_memory_file(Int64(byteCount))
        guard file >= 0 else { throw SystemFailure(code: -file) }
        return OwnedDescriptor(file)
    }
}
