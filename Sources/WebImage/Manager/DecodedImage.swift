import Synchronization

/// What came out of one decode, for all loads that share it: the picture, and which of its files were written.
final class DecodedImage: Sendable {
    typealias Completion = @Sendable () -> Void

    let image: Image
    /// True for a picture that another load has put into the caches already.
    let isStored: Bool

    private enum Write {
        case underWay([Completion])
        case done
    }

    private let writes = Mutex<[CacheKey: Write]>([:])

    init(_ image: Image, isStored: Bool = false) {
        self.image = image
        self.isStored = isStored
    }

    /// Lets the first who asks write the file called `key`, and tells everybody who asked when it is written.
    func writeOnce(
        _ key: CacheKey, completion: @escaping Completion, write: (_ done: @escaping Completion) -> Void
    ) {
        let (isFirst, isDone) = writes.withLock { writes in
            switch writes[key] {
            case .done: return (false, true)
            case .underWay(let waiting): writes[key] = .underWay(waiting + [completion])
            case nil:
                writes[key] = .underWay([completion])
                return (true, false)
            }
            return (false, false)
        }
        if isFirst { write { self.finish(key) } }
        if isDone { completion() }
    }

    private func finish(_ key: CacheKey) {
        let before = writes.withLock { $0.updateValue(.done, forKey: key) }
        guard case .underWay(let waiting) = before else { return }
        for completion in waiting { completion() }
    }
}
