import Glibc

/// Memory that two processes may map, as a file without a name.
///
/// `@unchecked Sendable`: the address never changes, and its one owner decides when it is written.
package final class SharedBuffer: @unchecked Sendable {
    package let file: OwnedDescriptor
    package let bytes: UnsafeMutableRawBufferPointer
    /// The owner of the bytes; nil for this object.
    private let memory: SharedMemory?
    private let keepsFile: Bool

    /// Maps a file that has at least `byteCount` bytes; nil where the kernel refuses.
    package init?(mapping file: OwnedDescriptor, byteCount: Int) {
        guard let bytes = SharedMemory.map(file.number, byteCount: byteCount, populates: true) else { return nil }
        self.file = file
        self.bytes = bytes
        memory = nil
        keepsFile = true
    }

    /// - Parameters:
    ///   - file: A lease, which ends with the last of its owners.
    ///   - keepsFile: Whether the file stays open for as long as there is a picture in it.
    package init(of memory: SharedMemory, file: OwnedDescriptor, keepsFile: Bool) {
        self.file = file
        bytes = memory.bytes
        self.memory = memory
        self.keepsFile = keepsFile
    }

    deinit {
        if memory == nil { munmap(bytes.baseAddress, bytes.count) }
    }

    /// It has a picture from now on, and no other process gets it.
    func becomePicture() {
        if !keepsFile { memory?.file.close() }
    }
}
