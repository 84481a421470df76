import Dispatch
import FoundationEssentials
import WebImageCore
import WebImageLoading
import WebImagePixels

/// A photo of a browser: where it comes from, its caption, and the state of its loading.
///
/// ```swift
/// let photo = Photo(url: address)
/// photo.caption = "Ada Lovelace, 1840"
/// ```
/// A browser loads the photos near its current one, and lets go of all others. On the main actor.
@MainActor
public final class Photo {
    /// The source of a photo.
    public enum Content: Sendable {
        /// A picture that is there.
        case image(Image)
        /// An address: a remote picture, a file, or `data:`.
        case url(URL)
        /// A picture that the app brings.
        case closure(@Sendable () async throws -> Image)
        /// A video. `url` brings its address when it is played; `poster` is the address of the picture that is shown before.
        case video(url: @Sendable () async throws -> URL?, poster: URL?)
        /// Nothing, with no complaint about that.
        case empty
    }

    /// The source of the photo.
    public let content: Content
    /// Shown under the photo; nil, the default, for none.
    public var caption: String?
    /// The name that titles and files have; nil, the default, for that of the address.
    public var name: String?
    /// The size of the picture in pixels, where the app knows it before it is loaded: the thumbnail then stands in the place
    /// that the picture will have. nil, the default, for what the thumbnail says about it.
    public var expectedPixelSize: PixelSize?
    /// The manager, and all else that a load of the address has.
    public var context = WebImageContext()
    /// The options of loads.
    public var options: WebImageOptions = []

    /// The loaded picture; nil until a load has brought it, and after ``unloadUnderlyingImage()``.
    public private(set) var underlyingImage: Image?
    /// Why there is no picture, after a load that failed.
    public private(set) var error: WebImageError?
    /// The part of the bytes that has arrived, from 0 to 1; nil while it is not known, and without a load.
    public private(set) var progress: Double?

    /// A change of a photo.
    public enum Update: Sendable {
        /// More bytes have arrived.
        case progress(Double)
        /// A part of the picture can be shown; the load goes on.
        case partial
        /// A load has ended, with ``underlyingImage`` or with ``error``.
        case loadingDidEnd
    }

    private var observers: [ObjectIdentifier: (Update) -> Void] = [:]
    private var streams: [Int: AsyncStream<Update>.Continuation] = [:]
    private var streamCount = 0
    /// The states of its loads, which have one key.
    private var loads = ViewLoadState()
    /// The latest load, and the one that has brought the picture.
    private var latest: PhotoLoad?
    private var ended: PhotoLoad?
    /// Ends the work of the latest load.
    private var cancellation: () -> Void = {}
    /// The tiles over the picture, if the file is too large to be decoded as a whole.
    private var tiled: TiledImage?
    /// Whether the picture becomes sharper by tiles only.
    package private(set) var needsTiles = false

    /// A photo with any content.
    public init(_ content: Content) { self.content = content }

    /// The photo at an address.
    public convenience init(url: URL) { self.init(.url(url)) }

    /// A photo that is there.
    public convenience init(image: Image) { self.init(.image(image)) }

    /// The address of the picture, or of the poster of a video; nil without one.
    public var url: URL? {
        switch content {
        case .url(let url): url
        case .video(_, let poster): poster
        case .image, .closure, .empty: nil
        }
    }

    /// Whether it holds its picture by itself.
    package var isPicture: Bool { if case .image = content { true } else { false } }

    /// Whether the page plays a video.
    public var isVideo: Bool { if case .video = content { true } else { false } }

    /// Whether there is nothing to be shown, which is no error.
    public var isEmpty: Bool {
        switch content {
        case .empty, .video(_, nil): true
        case .image, .url, .closure, .video: false
        }
    }

    /// Whether a load runs.
    public var isLoading: Bool { loads.isLoading(.image) }

    /// The size of the picture as a person sees it, in pixels of the file; nil before it is known.
    public var originalPixelSize: PixelSize? {
        underlyingImage.map { $0.metadata.isTransformed ? $0.pixelSize : $0.metadata.originalPixelSize ?? $0.pixelSize }
    }

    /// The picture, where it is there or in memory, without a load.
    package var imageFromMemory: Image? {
        if case .image(let image) = content { return image }
        guard let url else { return nil }
        return (context.manager ?? .shared).imageFromMemory(for: url, options: options, context: context)
    }

    /// The picture in memory in whatever size, the largest one.
    package var imageOfAnySizeFromMemory: Image? {
        guard let url else { return nil }
        return (context.manager ?? .shared).imageOfAnySizeFromMemory(
            ImageRequest(url, options: options, context: context))
    }

    /// Whether the picture is there, in whatever size.
    package var isComplete: Bool { underlyingImage.map { !$0.metadata.isIncremental } ?? false }
    /// Whether the data source threw an error instead of returning a photo.
    package var isStandIn = false

    /// Loads the picture, unless it is there at this size, or being loaded.
    ///
    /// A picture in memory is there when this returns; observers hear of the end in a later turn of the main loop in
    /// any case.
    /// - Parameter size: The pixels that the picture is to cover at least; nil, the default, for those of the file. A
    ///   smaller picture that is there stays until the larger one is.
    public func loadUnderlyingImage(covering size: PixelSize? = nil) {
        load(covering: size, entersMemory: true)
    }

    /// The same for a page, which holds its picture itself: the memory cache may have it, but does not get it. A person who
    /// turns a hundred pages would fill that with pictures as large as the screen.
    package func load(covering size: PixelSize?, entersMemory: Bool = false) {
        if isLoading, let latest, latest.isEnough(for: size) { return }
        guard !isSharpEnough(for: size) else { return }
        cancelAnyLoading()
        latest = PhotoLoad(size, isRepeated: error != nil, entersMemory: entersMemory)
        error = nil
        // Nothing stands for a picture that is awaited: the one that is there stays.
        perform(loads.begin(ViewLoadState.Load(url, options: .delayPlaceholder, hasSource: !isEmpty)).actions)
    }

    /// Whether the picture that is there covers `size`, or has all pixels of its file. A load that was asked for as much,
    /// but for whose result a limit was set, is not repeated.
    package func isSharpEnough(for size: PixelSize?) -> Bool {
        guard let image = underlyingImage, !image.metadata.isIncremental else { return false }
        if let ended, ended.isEnough(for: size) { return true }
        return isSharp(for: size)
    }

    /// Whether the picture that is there has as many pixels as `size`, or all of its file.
    package func isSharp(for size: PixelSize?) -> Bool {
        guard let image = underlyingImage else { return false }
        guard image.metadata.isThumbnail || image.metadata.isVector, let original = image.metadata.originalPixelSize
        else { return true }
        // A drawing has as many pixels as it is asked for.
        let most = image.metadata.isVector ? PixelSize(width: .max, height: .max) : original
        let (width, height) = (size?.width ?? original.width, size?.height ?? original.height)
        return image.pixelSize.width >= min(width, most.width) && image.pixelSize.height >= min(height, most.height)
    }

    /// Ends a load; the picture that is there stays.
    public func cancelAnyLoading() {
        progress = nil
        perform(loads.stop(.image))
    }

    /// The request that a page of this size makes; nil for photos without an address.
    package func request(covering size: PixelSize?) -> ImageRequest? {
        url.map { PhotoLoad(size).request(for: $0, options: options, context: context) }
    }

    /// Lets go of the picture; caches may keep it.
    public func unloadUnderlyingImage() {
        cancelAnyLoading()
        underlyingImage = nil
        ended = nil
        tiled = nil
        needsTiles = false
    }

    /// The changes of the photo from now on, until it is released. Any number of loops may run.
    public var updates: AsyncStream<Update> {
        let (stream, continuation) = AsyncStream.makeStream(of: Update.self, bufferingPolicy: .bufferingNewest(16))
        let number = streamCount
        streamCount += 1
        streams[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.streams[number] = nil } }
        return stream
    }

    deinit {
        for stream in streams.values { stream.finish() }
    }

    /// Calls `body` on each update, until ``stopObserving(as:)``.
    package func observe(as key: AnyObject, _ body: @escaping (Update) -> Void) {
        observers[ObjectIdentifier(key)] = body
    }

    package func stopObserving(as key: AnyObject) { observers[ObjectIdentifier(key)] = nil }

    /// Whether a page or a cell shows the photo: its picture must not be let go of for another one.
    package var isObserved: Bool { !observers.isEmpty }

    // MARK: Loading

    private typealias Generation = ViewLoadState.Generation

    private func perform(
        _ actions: [ViewLoadState.Action], _ result: Result<Image, WebImageError> = .failure(.noPicture)
    ) {
        for action in actions {
            switch action {
            case .load(let load): start(load)
            case .cancel:
                cancellation()
                cancellation = {}
            case .showImage: (underlyingImage, ended) = (try? result.get(), latest)
            case .showPlaceholder: if underlyingImage?.metadata.isIncremental == true { underlyingImage = nil }
            case .refuse, .complete: end(with: result)
            case .updateStatus, .leave, .showErrorImage, .transition: break
            }
        }
    }

    private func start(_ load: Generation) {
        switch content {
        case .image(let image): finish(load, .success(image))
        case .closure(let body): run(load) { try await body() }
        case .url(let url), .video(_, let url?): start(load, of: url)
        case .empty, .video(_, nil): break
        }
    }

    private func run(_ load: Generation, _ body: @escaping @MainActor () async throws -> Image) {
        let task = Task {
            do {
                finish(load, .success(try await body()))
            } catch {
                finish(load, .failure(error as? WebImageError ?? .closureFailed(error)))
            }
        }
        cancellation = { task.cancel() }
    }

    private func start(_ load: Generation, of url: URL) {
        guard let request = latest?.request(for: url, options: options, context: context) else { return }
        let operation = (context.manager ?? .shared).load(
            request,
            progress: { [weak self] progress in
                guard let part = progress.fractionCompleted else { return }
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.note(part, of: load) } }
            },
            received: { [weak self] update in MainActor.assumeIsolated { self?.receive(update, of: load) } },
            completed: { [weak self] result in MainActor.assumeIsolated { self?.receive(result, of: load) } })
        if loads.awaitsPicture(of: load) { cancellation = { operation.cancel() } }
    }

    private func note(_ part: Double, of load: Generation) {
        guard loads.awaitsPicture(of: load) else { return }
        progress = part
        tell(.progress(part))
    }

    private func receive(_ update: LoadEvent, of load: Generation) {
        guard loads.showsUpdate(of: load) else { return }
        switch update {
        case .cached(let result): underlyingImage = result.image
        case .preview, .progress, .finished: return
        case .partial(let image):
            guard underlyingImage?.metadata.isIncremental ?? true else { return }
            underlyingImage = image
        }
        tell(.partial)
    }

    private func receive(_ result: Result<LoadResult, WebImageError>, of load: Generation) {
        if case .failure(let failure) = result, isTooLarge(failure), loads.awaitsPicture(of: load) {
            return run(load) { [self] in try await readBase(for: load) }
        }
        finish(load, result.map(\.image))
    }

    private func finish(_ load: Generation, _ result: Result<Image, WebImageError>) {
        perform(loads.finish(load, with: (try? result.get()) == nil ? .failure : .image(.noCache)), result)
    }

    private func end(with result: Result<Image, WebImageError>) {
        // It holds the operation, and that the bytes of the file.
        cancellation = {}
        progress = nil
        if case .failure(let failure) = result { error = failure }
        DispatchQueue.main.async { MainActor.assumeIsolated { self.tell(.loadingDidEnd) } }
    }

    // MARK: Tiles

    /// Whether the file may be read in parts, which are upright, of standard range, and of its first page and frame.
    package var hasTiles: Bool {
        let options = context.decodeOptions
        guard mayHaveTiles else { return false }
        // Before the picture is complete, its colours are not known.
        guard isComplete, let image = underlyingImage else {
            return !options.decodesToHDR && !options.decodesToWideGamut
        }
        return !image.bitmap.colorSpace.isHighDynamicRange
    }

    /// The same, whatever the picture's colours: where only tiles can be shown, they are better than none.
    private var mayHaveTiles: Bool {
        let options = context.decodeOptions
        guard url != nil, !isVideo, options.pageIndex == 0, options.appliesOrientation, options.convertsToSRGB
        else { return false }
        guard let image = underlyingImage else { return true }
        return image.animation == nil && !image.metadata.isVector && !image.metadata.isTransformed
    }

    /// Opens the file to read it in parts.
    ///
    /// - Parameter base: What is drawn below them; nil to read it.
    package func openTiles(over base: Image? = nil) async throws(WebImageError) -> TiledImage {
        guard let url else { throw .noPicture }
        return try await TiledImage.open(
            url, options: options, manager: context.manager ?? .shared, context: context,
            limits: context.decodeOptions.limits, base: base?.bitmap)
    }

    /// The tiles that have been opened already for the base; the caller owns them then.
    package func takeTiles() -> TiledImage? { tiled.take() }

    /// Whether a load has failed at a limit that does not count for tiles. A body from the network that is too large
    /// would only be loaded again.
    private func isTooLarge(_ failure: WebImageError) -> Bool {
        failure.code == .limitExceeded && mayHaveTiles && (failure.stage == .decode || url?.hasScheme("file") == true)
    }

    /// Reads the base of a file that is too large to be decoded as a whole.
    private func readBase(for load: Generation) async throws(WebImageError) -> Image {
        let tiled = try await openTiles()
        let base = await transformed(tiled.base)
        if loads.awaitsPicture(of: load) {
            needsTiles = !base.metadata.isTransformed
            self.tiled = needsTiles ? tiled : nil
        }
        return base
    }

    /// The base as loads would deliver it. Tiles are not transformed: such a picture stays as sharp as its base.
    private func transformed(_ base: Image) async -> Image {
        let manager = context.manager ?? .shared
        guard let url, let transformer = context.transformer ?? manager.transformer, !transformer.transformerKey.isEmpty
        else { return base }
        let key = manager.cacheKey(for: url, context: context)
        return await Task.detached { base.transformed(by: transformer, for: key) ?? base }.value
    }

    private func tell(_ update: Update) {
        for observer in observers.values { observer(update) }
        for stream in streams.values { stream.yield(update) }
    }
}

extension WebImageError {
    fileprivate static var noPicture: WebImageError {
        WebImageError(.badImageData, stage: .request, kind: .permanent, reason: "the photo has no picture")
    }

    fileprivate static func closureFailed(_ error: any Error) -> WebImageError {
        WebImageError(
            .badImageData, stage: .load, kind: .transient, reason: "the app did not bring the photo: \(error)",
            underlying: error)
    }
}
