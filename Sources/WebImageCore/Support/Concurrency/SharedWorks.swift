import Synchronization

/// The work that can be joined, by key.
@usableFromInline package final class SharedWorks<Key: Hashable & Sendable, Work: AnyObject & Sendable>: Sendable {
    @usableFromInline let works = Mutex<[Key: Work]>([:])
    @usableFromInline let count = Atomic(0)

    @inlinable package init() {}

    @inlinable package subscript(key: Key) -> Work? { works.withLock { $0[key] } }

    /// Whether there is none, as far as this thread knows: hashing a key may take time.
    @inlinable package var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    /// Joins the work of `key`, or the one that `make` returns.
    ///
    /// - Parameter join: Returns nil for work that is over; other work takes its place.
    @inlinable package func join<Joined>(
        _ key: Key, orMake make: () -> Work, by join: (Work) -> Joined?
    ) -> (work: Work, joined: Joined) {
        while true {
            let work = find(key, make)
            if let joined = join(work) { return (work, joined) }
            remove(work, of: key)
        }
    }

    /// Removes `work`, so that nobody finds it any more.
    @inlinable package func remove(_ work: Work, of key: Key) {
        // Work may retain objects of the app: it is released outside the lock.
        let removed = works.withLock { works in
            defer { count.store(works.count, ordering: .relaxed) }
            guard let index = works.index(forKey: key), works.values[index] === work else { return nil as Work? }
            return works.remove(at: index).value
        }
        withExtendedLifetime(removed) {}
    }

    @inlinable func find(_ key: Key, _ make: () -> Work) -> Work {
        if let work = self[key] { return work }
        let work = make()
        return works.withLock { works in
            if let other = works[key] { return other }
            works[key] = work
            count.store(works.count, ordering: .relaxed)
            return work
        }
    }
}
