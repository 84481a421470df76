import FoundationEssentials

extension LoadStateMachine {
    typealias Outcome = Result<LoadResult, WebImageError>

    /// What happened.
    enum Event {
        case started(inMemory: Image?)
        case diskAnswered(StoredFile?)
        /// The original was in memory, as pixels.
        case originalFound(DecodedImage)
        /// Another load has brought the picture into memory meanwhile.
        case foundMeanwhile(Image)
        /// Loading is allowed (nil), or why it is not.
        case permitted(WebImageError?)
        case loaded(Result<ImageLoadResponse, WebImageError>)
        /// The first bytes were enough for all that the load wants.
        case previewed(DecodedImage, byteCount: Int)
        case decoded(Result<DecodedImage, WebImageError>)
        case transformed(DecodedImage)
        /// The picture is where it should be.
        case stored(DecodedImage)
        /// Nobody waits any more.
        case cancelled
    }

    /// What to do.
    enum Action {
        case nothing
        /// Look for the picture in a file; the original may also be in memory.
        case queryDisk(DiskFile)
        /// Read the file of a picture that is there already.
        case readFile(DiskFile)
        /// Look into memory again before asking: another load may have ended while this one looked for a file.
        case lookAgain
        case askToLoad
        case load(CachedPicture?)
        /// End the transfer: no more of it is wanted.
        case stopLoading
        case decode(EncodedImage)
        case transform(DecodedImage, EncodedImage)
        case removeFromDisk(DiskFile)
        /// Note what the server said of the file on disk, which is still good.
        case freshen(DiskCacheEntry, HTTPResponse)
        case store(FinishedImage, EncodedImage)
        /// Tell those who wait.
        case tell(LoadUpdate)
        /// Tell those who wait that this is all.
        case end(LoadEnding)
        /// Stop whatever is under way.
        case stop
        /// Two things, in this order. Mostly it is one, and an array would ask for memory each time.
        indirect case both(Action, Action)
    }

    /// The two files that a picture may be decoded from.
    enum DiskFile: Hashable, Sendable {
        /// The finished picture.
        case result
        /// The original of a thumbnail or a transformed picture.
        case original
    }
}

/// How a load ends. A class: it goes through many hands, and a result is a handful of references.
final class LoadEnding: Sendable {
    let outcome: LoadStateMachine.Outcome

    init(_ outcome: LoadStateMachine.Outcome) { self.outcome = outcome }

    var isFailure: Bool {
        if case .failure = outcome { return true }
        return false
    }
}

/// A file from the disk cache.
struct StoredFile: Sendable {
    let entry: DiskCacheEntry
    /// Whether the server said that it would be good until now.
    let isFresh: Bool
    /// Of the bytes, for loads that refresh; made where they were read, since the machine works under the load's lock.
    var fingerprint: FileFingerprint?
    /// Before it was read.
    var moment = CacheMoment()
}

/// The picture that a load refreshes.
struct CachedPicture: Sendable {
    let result: LoadResult
    /// The original's file; nil when it is not on the disk.
    let file: StoredFile?

    /// Whether the picture is that of the file: another load may have stored a newer one meanwhile. One that an app has
    /// put into memory counts as the file's; of a derived picture's own file, nobody knows what it was made of.
    func isOfItsFile(_ plan: LoadPlan) -> Bool {
        guard let file else { return true }
        guard let source = result.image.source else { return !plan.isDerived }
        return file.fingerprint == source
    }
}

/// A picture that has come to the end of its road.
struct FinishedImage: Sendable {
    let image: DecodedImage
    /// What came from the decoder: the same, or what the transformer was given.
    let decoded: DecodedImage
}

/// Bytes on their way to the decoder, and where they came from.
struct EncodedImage: Sendable {
    enum Source: Hashable, Sendable {
        case loader
        case disk(LoadStateMachine.DiskFile)
        case memory
    }

    let data: Data
    let source: Source
    /// The file on disk, if that is where the bytes came from.
    let stored: StoredFile?
    let http: HTTPResponse?
    /// The decodes of the same bytes that are done.
    let decodes: DecodeMemory?
    /// Whether the picture is to be refreshed when it is made.
    let isToBeRefreshed: Bool
    /// Bytes that were read or have come.
    let byteCount: Int
    /// Whether the bytes are all of the file.
    let isWhole: Bool

    /// An original that was in memory as pixels: there are no bytes.
    static let inMemory = EncodedImage(source: .memory, byteCount: 0, isWhole: true)

    /// A file of which only the beginning has come, and was decoded as it came.
    static func beginning(byteCount: Int) -> EncodedImage {
        EncodedImage(source: .loader, byteCount: byteCount, isWhole: false)
    }

    private init(source: Source, byteCount: Int, isWhole: Bool) {
        data = Data()
        self.byteCount = byteCount
        self.isWhole = isWhole
        self.source = source
        stored = nil
        http = nil
        decodes = nil
        isToBeRefreshed = false
    }

    init(_ file: StoredFile, from source: LoadStateMachine.DiskFile, isToBeRefreshed: Bool = false) {
        data = file.entry.data
        byteCount = data.count
        isWhole = true
        self.source = .disk(source)
        stored = file
        http = nil
        decodes = nil
        self.isToBeRefreshed = isToBeRefreshed
    }

    init(_ response: ImageLoadResponse) {
        data = response.data
        byteCount = data.count
        isWhole = true
        source = .loader
        stored = nil
        http = response.http
        decodes = response.decodes
        isToBeRefreshed = false
    }

    var cacheType: ImageCacheType {
        switch source {
        case .loader: .none
        case .disk: .disk
        case .memory: .memory
        }
    }
}

extension LoadResult {
    init(_ finished: FinishedImage, encoded: EncodedImage, plan: LoadPlan) {
        let image = finished.image.image
        // Read in vain: another load had put the picture into memory meanwhile, perhaps another version of it.
        let isFromMemory = finished.image.isFromMemory
        // The file of another picture is not this one's.
        let hasFile =
            !plan.isThumbnail && !image.metadata.isTransformed && encoded.source != .memory
            && (!isFromMemory || plan.wantsDataFromDisk)
        self.init(
            image: image, data: hasFile ? encoded.data : nil, cacheType: isFromMemory ? .memory : encoded.cacheType,
            url: plan.requestedURL, byteCount: encoded.byteCount, http: encoded.http)
    }
}

extension WebImageError {
    static func notCached(_ url: URL) -> WebImageError {
        WebImageError(
            .notCached, stage: .disk, kind: .policy,
            reason: "the picture is in no cache, and loading was not allowed; load it without fromCacheOnly", url: url)
    }
}
