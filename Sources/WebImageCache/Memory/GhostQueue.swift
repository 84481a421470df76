import WebImageCore

/// Fingerprints of pictures that were evicted before a second use: a picture that returns soon counts as proven at once.
///
/// A first-in-first-out queue. Removed fingerprints stay in it as gaps until they reach the front.
struct GhostQueue {
    private struct Ghost {
        let fingerprint: KeyFingerprint
        let number: Int
    }

    /// The number of the latest ghost of each fingerprint; older ones in the queue are gaps.
    private var numbers: [KeyFingerprint: Int] = [:]
    private var ghosts: [Ghost] = []
    /// The first index of the queue in `ghosts`; earlier elements were removed.
    private var start = 0
    private var lastNumber = 0

    /// Adds a fingerprint as the newest, and removes the oldest until at most `limit` are left.
    mutating func append(_ fingerprint: KeyFingerprint, limit: Int) {
        lastNumber += 1
        numbers[fingerprint] = lastNumber
        ghosts.append(Ghost(fingerprint: fingerprint, number: lastNumber))
        while ghosts.count - start > limit { dropOldest() }
        closeGap()
    }

    /// Removes a fingerprint.
    ///
    /// - Returns: Whether it was there.
    mutating func remove(_ fingerprint: KeyFingerprint) -> Bool { numbers.removeValue(forKey: fingerprint) != nil }

    private mutating func dropOldest() {
        let ghost = ghosts[start]
        start += 1
        if numbers[ghost.fingerprint] == ghost.number { numbers[ghost.fingerprint] = nil }
    }

    /// Moves the queue to the front when half of the array is unused: a constant cost for each ghost.
    private mutating func closeGap() {
        guard start * 2 > ghosts.count else { return }
        ghosts.removeFirst(start)
        start = 0
    }
}
