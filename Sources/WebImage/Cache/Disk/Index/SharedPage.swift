import Glibc
import Synchronization

/// Numbers that several processes change at once: the beginning of a file, mapped into the memory of each.
///
/// Unchecked because of the raw memory, of which nothing but atomic numbers is ever used, and which is unmapped with the
/// last owner.
package final class SharedPage: @unchecked Sendable {
    /// Bytes.
    package static let size = 4096

    private let memory: UnsafeMutableRawPointer

    /// nil when the system cannot map the file; `errno` says why.
    init?(descriptor: Int32) {
        guard let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { return nil }
        self.memory = memory
    }

    deinit { munmap(memory, Self.size) }

    package func load(_ index: Int) -> UInt64 { number(index).pointee.load(ordering: .sequentiallyConsistent) }

    package func store(_ value: UInt64, at index: Int) {
        number(index).pointee.store(value, ordering: .sequentiallyConsistent)
    }

    /// - Returns: The sum.
    @discardableResult
    package func add(_ value: UInt64, at index: Int) -> UInt64 {
        number(index).pointee.wrappingAdd(value, ordering: .sequentiallyConsistent).newValue
    }

    /// One of the 512 numbers. Atomic numbers are laid out as plain ones are, which is what other processes see.
    private func number(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        precondition(0..<Self.size / MemoryLayout<UInt64>.stride ~= index)
        return memory.assumingMemoryBound(to: Atomic<UInt64>.self) + index
    }
}
