import Dispatch
import Synchronization
import WebImageCore

/// The one writer of a cache: makes all changes beyond memory, one after the other in the order of their requests.
///
/// Of each key the latest request counts at once: a query asks the writer first, and gets what is to be stored, or nothing,
/// without waiting for the disk. Changes are counted, so that a load knows whether what it has read was removed or replaced.
final class CacheWriter: Sendable {
    typealias Completion = @Sendable (Result<Void, WebImageError>) -> Void

    /// The future contents of the disk under a key.
    enum Contents: Sendable {
        case entry(DiskCacheEntry)
        /// A picture whose file is still being encoded.
        case encoding(ImageCacheRecord)
        case nothing
    }

    fileprivate struct State {
        var contents: [CacheKey: (value: Contents, number: Int)] = [:]
        /// Removals of what was made from a picture that are not done, by its key: of all, or of all but that of a file.
        var families: [CacheKey: (file: String?, number: Int)] = [:]
        /// The newest clearing that is not done: all entries that are not in `contents` will be removed.
        var clearing: Int?
        var lastNumber = 0
        var generations = GenerationCounts()
        /// Files that are being encoded, with the completions that wait for that.
        var encodings: [Int: [Countdown]] = [:]
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "WebImage disk cache writes", qos: .utility)
    private let disk: any DiskCaching
    /// nil where the disk is the last tier.
    let farther: FartherTiers?

    init(_ disk: any DiskCaching, farther: FartherTiers?) {
        self.disk = disk
        self.farther = farther
    }

    // MARK: Knowing

    /// A number that is another one after each change of `keys`; see ``ImageCaching/generation(of:)``.
    func generation(of keys: [CacheKey]) -> Int { state.withLock { $0.generations.generation(of: keys) } }

    /// Counts a change of memory, or one whose request follows.
    func noteChange(of key: CacheKey) { state.withLock { $0.generations.add(key) } }

    /// Counts a clearing of memory, or one whose request follows.
    func noteClearing() { state.withLock { $0.generations.addClearing() } }

    /// The future contents under `key`; nil when no change is pending and the disk is up to date.
    func contents(of key: CacheKey) -> Contents? {
        state.withLock { state in
            let contents = state.contents[key]
            // Most of the time no family is being removed.
            if !state.families.isEmpty, key.isDerived, let removal = state.families[key.original],
                removal.file == nil, removal.number > contents?.number ?? 0
            {
                return .nothing
            }
            return contents?.value ?? (state.clearing == nil ? nil : .nothing)
        }
    }

    /// The file of which alone a picture's thumbnails count, while others wait to be removed; nil otherwise.
    func newFile(of original: CacheKey) -> String? {
        state.withLock { $0.families.isEmpty ? nil : $0.families[original]?.file }
    }

    // MARK: Changing

    /// Requests a change.
    ///
    /// - Parameters:
    ///   - condition: A generation of keys, which must be theirs still; otherwise nothing is changed.
    ///   - completion: Called once, when the disk has what is stored, or all tiers have made another change; gets the disk's
    ///     error.
    func request(
        _ change: CacheChange, ifStill condition: (generation: Int, keys: [CacheKey])? = nil,
        completion: Completion? = nil
    ) {
        let overtaken = state.withLock { state -> [Contents]? in
            if let condition, state.generations.generation(of: condition.keys) != condition.generation { return nil }
            guard let (number, overtaken) = state.note(change) else { return nil }
            // Within the lock: of two changes the later one is written later.
            queue.async { [self] in make(change, number, completion) }
            return overtaken
        }
        if overtaken == nil { completion?(.success(())) }
    }

    /// Makes a change on the calling thread, after all earlier ones; farther tiers follow later. Blocks.
    func requestBlocking(_ change: CacheChange) throws(WebImageError) {
        // The call may come from a completion of this cache, which already runs on the queue.
        if QueueIdentity(of: queue)?.isCurrent == true {
            guard let (number, _) = state.withLock({ $0.note(change) }) else { return }
            return try make(change, number, nil).get()
        }
        let result = Mutex<Result<Void, WebImageError>>(.success(()))
        let done = DispatchSemaphore(value: 0)
        let overtaken = state.withLock { state -> [Contents]? in
            guard let (number, overtaken) = state.note(change) else { return nil }
            // Within the lock, as above.
            queue.async { [self] in
                let made = make(change, number, nil)
                result.withLock { $0 = made }
                done.signal()
            }
            return overtaken
        }
        guard overtaken != nil else { return }
        done.wait()
        try result.withLock { $0 }.get()
    }

    /// Calls `completion` after all earlier changes, also of files that are being encoded.
    func whenDone(_ completion: @escaping @Sendable () -> Void) {
        let isEncoding = state.withLock { state in
            guard !state.encodings.isEmpty else { return false }
            let countdown = Countdown(from: state.encodings.count) { self.whenWritten(completion) }
            for number in state.encodings.keys { state.encodings[number]?.append(countdown) }
            return true
        }
        if !isEncoding { whenWritten(completion) }
    }

    private func whenWritten(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            if let farther { farther.run(completion) } else { completion() }
        }
    }

    @discardableResult
    private func make(_ change: CacheChange, _ number: Int, _ completion: Completion?) -> Result<Void, WebImageError> {
        // An entry of a farther tier is older than one that has been stored meanwhile.
        let isLate = if case .fill(_, let key, _) = change { disk.contains(key) } else { false }
        let result: Result<Void, WebImageError> =
            isLate ? .success(()) : Result { () throws(WebImageError) in try disk.make(change) }
        guard let farther, !isLate else {
            end(change, number)
            completion?(result)
            return result
        }
        // Queries that run have read something older in a tier, which must not fill what the disk has not.
        if case .failure = result, case .store(_, let key) = change { noteChange(of: key) }
        let isStore = change.isStore
        farther.make(change) { [self] in
            end(change, number)
            if !isStore { completion?(result) }
        }
        // Tiers remove the original, too, which may have been stored between the two requests of a removal.
        if case .removeDerived(let original, unlessOf: nil) = change, disk.contains(original),
            let entry = try? disk.entry(for: original)
        {
            farther.make(.store(entry, original)) {}
        }
        guard isStore else { return result }
        // Queries read it from the disk from now on, and no store waits for a slow tier. What the disk has not taken, or has
        // removed, would be found in a tier until that has made the change.
        if case .success = result { end(change, number) }
        completion?(result)
        return result
    }

    private func end(_ change: CacheChange, _ number: Int) {
        // The stored bytes, possibly megabytes, are released outside the lock.
        let ended = state.withLock { $0.end(change, number) }
        withExtendedLifetime(ended) {}
    }
}

// MARK: - Encoding

extension CacheWriter {
    /// Notes a picture whose file is being encoded, and returns the number of that change.
    func beginEncoding(_ record: ImageCacheRecord) -> Int {
        let (number, overtaken) = state.withLock { state -> (Int, Contents?) in
            let number = state.nextNumber()
            state.encodings[number] = []
            return (number, state.contents.updateValue((.encoding(record), number), forKey: record.key)?.value)
        }
        withExtendedLifetime(overtaken) {}
        return number
    }

    /// Requests the file, unless another change of its key was requested since.
    ///
    /// - Parameter entry: nil for a picture that has no file.
    func endEncoding(_ number: Int, of key: CacheKey, _ entry: DiskCacheEntry?, completion: @escaping Completion) {
        let (isRequested, encoded, waiting) = state.withLock { state -> (Bool, Contents?, [Countdown]) in
            let waiting = state.encodings.removeValue(forKey: number) ?? []
            guard state.contents[key]?.number == number else { return (false, nil, waiting) }
            let encoded = state.contents.removeValue(forKey: key)?.value
            guard let entry else { return (false, encoded, waiting) }
            state.contents[key] = (.entry(entry), number)
            queue.async { [self] in make(.store(entry, key), number, completion) }
            return (true, encoded, waiting)
        }
        withExtendedLifetime(encoded) {}
        if !isRequested { completion(.success(())) }
        for countdown in waiting { countdown.step() }
    }
}

// MARK: - State

extension CacheWriter.State {
    fileprivate mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Notes a change.
    ///
    /// - Returns: Its number, and what it takes the place of, which may retain objects of the app: it is to be released outside
    ///   the lock. nil for a change that is not necessary.
    fileprivate mutating func note(_ change: CacheChange) -> (number: Int, overtaken: [CacheWriter.Contents])? {
        if case .fill(_, let key, _) = change, contents[key] != nil { return nil }
        let number = nextNumber()
        switch change {
        case .store(let entry, let key), .fill(let entry, let key, _):
            return (number, [contents.updateValue((.entry(entry), number), forKey: key)].compactMap { $0?.value })
        case .remove(let key):
            generations.add(key)
            return (number, [contents.updateValue((.nothing, number), forKey: key)].compactMap { $0?.value })
        case .removeDerived(let original, let file):
            families[original] = (file, number)
            return (number, encodings.isEmpty ? [] : overtakeEncodings(ofDerivedFrom: original))
        case .removeAll:
            clearing = number
            generations.addClearing()
            defer { contents = [:] }
            return (number, contents.values.map(\.value))
        }
    }

    /// Their files would be written later than the removal.
    private mutating func overtakeEncodings(ofDerivedFrom original: CacheKey) -> [CacheWriter.Contents] {
        let keys = contents.filter { key, contents in
            guard case .encoding = contents.value, key.isDerived else { return false }
            return key.original == original
        }.keys
        return keys.compactMap { contents.removeValue(forKey: $0)?.value }
    }

    /// Forgets a change that is made; a newer one stays pending.
    fileprivate mutating func end(_ change: CacheChange, _ number: Int) -> CacheWriter.Contents? {
        switch change {
        case .store(_, let key), .fill(_, let key, _), .remove(let key):
            if contents[key]?.number == number { return contents.removeValue(forKey: key)?.value }
        case .removeDerived(let original, _):
            if families[original]?.number == number { families[original] = nil }
        case .removeAll:
            if clearing == number { clearing = nil }
        }
        return nil
    }
}
