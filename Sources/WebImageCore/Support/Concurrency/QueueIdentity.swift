import Dispatch
import Synchronization

/// Finds out whether the current code runs on a certain dispatch queue, by a number that the queue carries.
///
/// Neither the queue's label nor the address of its Swift object identifies it: labels repeat, and every access to a
/// shared queue creates another object.
package struct QueueIdentity: Sendable {
    private static let key = DispatchSpecificKey<UInt64>()
    private static let lastNumber = Mutex<UInt64>(0)

    private let number: UInt64

    /// nil for global queues, which cannot carry a value: Dispatch ends a program that tries.
    package init?(of queue: DispatchQueue) {
        guard !queue.label.hasPrefix("com.apple.root.") else { return nil }
        number = Self.lastNumber.withLock { last in
            if let number = queue.getSpecific(key: Self.key) { return number }
            last += 1
            queue.setSpecific(key: Self.key, value: last)
            return last
        }
    }

    package var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == number }
}
