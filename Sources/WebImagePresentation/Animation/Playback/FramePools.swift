import Synchronization
import WebImageCore

/// The pools of all animations that are being played: players of one animation share a pool.
final class FramePools: Sendable {
    static let shared = FramePools()

    /// An animation, and what is made of its frames.
    struct Key: Hashable {
        let provider: ObjectIdentifier
        let transformerKey: String?
    }

    private struct Entry {
        weak var pool: FramePool?
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// The pool of an animation, made by `make` if there is none.
    ///
    /// - Parameter source: The animation before its frames are transformed. The pool must retain it, so that no other
    ///   animation gets its identity.
    func pool(of source: any AnimatedImageProvider, transformerKey: String?, make: () -> FramePool) -> FramePool {
        let key = Key(provider: ObjectIdentifier(source), transformerKey: transformerKey)
        return entries.withLock { entries in
            if let pool = entries[key]?.pool { return pool }
            entries = entries.filter { $0.value.pool != nil }
            let pool = make()
            entries[key] = Entry(pool: pool)
            return pool
        }
    }
}
