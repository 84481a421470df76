import FoundationEssentials
import WebImageCore
import WebImageHTTP

extension LoadStateMachine {
    typealias Outcome = Result<LoadResult, WebImageError>

    /// An event of the load.
    enum Event {
        /// - use: How the picture in memory may be used.
        case started(inMemory: Image?, use: CachedUse = .atOnce)
        case diskAnswered(StoredFile?)
        /// The original was in memory, as pixels.
        case originalFound(DecodedImage)
        /// Another load has put the picture into memory meanwhile.
        case foundMeanwhile(Image)
        /// Why the loader was not asked.
        indirect case refused(WebImageError)
        indirect case loaded(Result<ImageLoadResponse, WebImageError>)
        /// The first bytes were enough for all that the load wants.
        case previewed(DecodedImage, byteCount: Int)
        indirect case decoded(Result<DecodedImage, WebImageError>)
        indirect case transformed(Result<DecodedImage, WebImageError>)
        /// The answer of the server about a cached picture is noted.
        case freshened(CachedPicture)
        /// The picture is stored.
        case stored(DecodedImage)
        /// The last waiting load has left.
        case cancelled
    }

    /// The action that follows an event.
    enum Action: Sendable {
        case nothing
        /// Look for the picture in a file; the original may also be in memory.
        case queryDisk(DiskFile)
        /// Read the file of a picture that is already found.
        case readFile(DiskFile)
        /// Start the loader, if the load may use it and no other load has loaded the picture meanwhile.
        case load(CachedPicture?)
        /// End the transfer: the rest is not needed.
        case stopLoading
        case decode(EncodedImage)
        case transform(DecodedImage, EncodedImage)
        case removeFromDisk(DiskFile)
        /// Note what the server said of a cached picture, which is current.
        indirect case freshen(CachedPicture, CurrentAnswer)
        case store(FinishedImage, EncodedImage)
        /// Report an update to the waiting loads.
        indirect case tell(LoadEvent)
        /// End the waiting loads.
        case end(LoadEnding)
        /// Stop the current work.
        case stop
        /// Two actions, in this order. Mostly there is one, and an array would allocate memory each time.
        indirect case both(Action, Action)
    }
}

extension WebImageError {
    static func notCached(_ url: URL) -> WebImageError {
        WebImageError(
            .notCached, stage: .disk, kind: .policy,
            reason: "the picture is in no cache, and loading was not allowed; load it without fromCacheOnly", url: url)
    }

    static func offline(_ url: URL) -> WebImageError {
        WebImageError(
            .notCached, stage: .disk, kind: .policy,
            reason: "the manager is offline, and no cache has a picture that may be shown; set isOffline to false",
            url: url)
    }
}
