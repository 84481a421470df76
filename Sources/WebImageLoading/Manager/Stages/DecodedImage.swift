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
    let generation: Int?
    /// Other pictures made from this one, by the keys of their transformers.
    let transforms = ResultMemory<String>()

    /// A write that is under way or done.
    private final class Write: Sendable {
        let work = SharedWork<Completion, Void>(())
    }

    private let writes = Mutex<[StoredName: Write]>([:])

    init(
        _ image: Image, region: DecodeRegion? = nil, isStored: Bool = false, isFromMemory: Bool = false,
        generation: Int? = nil
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
        let file = writes.withLock { writes in
            let file = writes[name] ?? Write()
            writes[name] = file
            return file
        }
        guard let number = file.work.join(completion, priority: .low) else { return completion() }
        guard number == 1 else { return }
        write {
            for completion in file.work.end() { completion() }
        }
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
