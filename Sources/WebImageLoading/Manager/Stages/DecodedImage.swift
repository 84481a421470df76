import Synchronization
import WebImageCache
import WebImageCore

/// The result of one decode or one transform, for all loads that share it: the picture, other pictures made from it,
/// and which of its files were written.
final class DecodedImage: Sendable {
    typealias Completion = @Sendable () -> Void

    let image: Image
    /// True for a picture that is already in the caches, or must not be stored.
    let isStored: Bool
    /// True for a picture that another load had put into memory, so that this load did not make it.
    let isFromMemory: Bool
    /// The part of the pixels that it has, for the transformer that begins with it; nil for a whole picture.
    let region: DecodeRegion?
    /// The generation before the look-up in memory, for a picture from there.
    let generation: CacheGeneration?
    /// Other pictures made from this one, by the keys of their transformers.
    let transforms = ResultMemory<String>()

    private enum Write {
        case underWay([Completion])
        case done
    }

    private let writes = Mutex<[StoredName: Write]>([:])

    init(
        _ image: Image, region: DecodeRegion? = nil, isStored: Bool = false, isFromMemory: Bool = false,
        generation: CacheGeneration? = nil
    ) {
        self.image = image
        self.region = region
        self.generation = generation
        self.isStored = isStored || isFromMemory
        self.isFromMemory = isFromMemory
    }

    /// The first caller writes the file called `name`; all callers are called back when it is written.
    func writeOnce(
        _ name: StoredName, completion: @escaping Completion, write: (_ done: @escaping Completion) -> Void
    ) {
        let (isFirst, isDone) = writes.withLock { writes in
            switch writes[name] {
            case .done: return (false, true)
            case .underWay(let waiting): writes[name] = .underWay(waiting + [completion])
            case nil:
                writes[name] = .underWay([completion])
                return (true, false)
            }
            return (false, false)
        }
        if isFirst { write { self.finish(name) } }
        if isDone { completion() }
    }

    private func finish(_ name: StoredName) {
        let before = writes.withLock { $0.updateValue(.done, forKey: name) }
        guard case .underWay(let waiting) = before else { return }
        for completion in waiting { completion() }
    }
}

/// A file in one of the caches of a load.
struct StoredName: Hashable, Sendable {
    let key: CacheKey
    let cache: CollaboratorIdentity
}

/// Finished pictures, for loads that need the same work a moment later. Lives as long as their source.
final class ResultMemory<Key: Hashable & Sendable>: Sendable {
    private let images = Mutex<[Key: DecodedImage]>([:])

    subscript(key: Key) -> DecodedImage? {
        get { images.withLock { $0[key] } }
        set { images.withLock { $0[key] = newValue } }
    }
}

typealias DecodeMemory = ResultMemory<DecodeKey>

extension ImageLoadResponse {
    /// The pictures that loads with this response have decoded from it; nil for a response that is not shared.
    var decodes: DecodeMemory? { sharedResults?.memory { DecodeMemory() } }
}
