/// Fingerprints of what left the cache without having been asked for again: what comes back soon belongs to those that
/// are asked for again and again.
///
/// A first-in-first-out queue. Fingerprints that were taken out stay in it as gaps until their turn comes.
struct GhostQueue {
    private struct Ghost {
        let fingerprint: KeyFingerprint
        let number: Int
    }

    /// The number of the latest ghost of each fingerprint; older ones in the queue are gaps.
    private var numbers: [KeyFingerprint: Int] = [:]
    private var ghosts: [Ghost] = []
    /// Where the queue begins in `ghosts`: what stands before was taken out.
    private var start = 0
    private var lastNumber = 0

    /// Fingerprints in the queue.
    var count: Int { numbers.count }

    /// Adds a fingerprint as the newest, and lets the oldest go until `limit` are left at most.
    mutating func append(_ fingerprint: KeyFingerprint, limit: Int) {
        lastNumber += 1
        numbers[fingerprint] = lastNumber
        ghosts.append(Ghost(fingerprint: fingerprint, number: lastNumber))
        while ghosts.count - start > limit { dropOldest() }
        closeGap()
    }

    /// Takes a fingerprint out.
    ///
    /// - Returns: Whether it was there.
    mutating func remove(_ fingerprint: KeyFingerprint) -> Bool { numbers.removeValue(forKey: fingerprint) != nil }

    private mutating func dropOldest() {
        let ghost = ghosts[start]
        start += 1
        if numbers[ghost.fingerprint] == ghost.number { numbers[ghost.fingerprint] = nil }
    }

    /// Moves the queue to the front when half of the array is behind it: a constant cost for each ghost.
    private mutating func closeGap() {
        guard start * 2 > ghosts.count else { return }
        ghosts.removeFirst(start)
        start = 0
    }
}
