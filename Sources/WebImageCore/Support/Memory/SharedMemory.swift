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

    /// - Parameter populates: Whether all pages are brought at once: their first touch, one by one, costs more than a
    ///   decode's work on them.
    static func map(_ file: CInt, byteCount: Int, populates: Bool = false) -> UnsafeMutableRawBufferPointer? {
        guard byteCount > 0 else { return nil }
        let flags = MAP_SHARED | (populates ? MAP_POPULATE : 0)
        let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, file, 0)
        guard let address, address != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    private static func makeFile(byteCount: Int) throws(SystemFailure) -> OwnedDescriptor {
        let file = webimage_make_memory_file(Int64(byteCount))
        guard file >= 0 else { throw SystemFailure(code: -file) }
        return OwnedDescriptor(file)
    }
}
