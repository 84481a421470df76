import CLinux
import Glibc

/// Memory that two processes may map, as a file without a name.
///
/// `@unchecked Sendable`: the address never changes, and its one owner decides when it is written.
package final class SharedBuffer: @unchecked Sendable {
    package let file: OwnedDescriptor
    package let bytes: UnsafeMutableRawBufferPointer

    /// Maps a file that has at least `byteCount` bytes; nil where the kernel refuses.
    package init?(mapping file: OwnedDescriptor, byteCount: Int) {
        guard byteCount > 0 else { return nil }
        let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        guard let address, address != MAP_FAILED else { return nil }
        self.file = file
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
