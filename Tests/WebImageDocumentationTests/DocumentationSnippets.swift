// The code in the documentation of the public symbols, compiled. A test compares the two, so neither changes alone.

import Foundation
import WebImage

@testable import WebImageTestDoubles

// MARK: - Stand-ins for what an app has

private struct Bar: Sendable {
    var fraction: Double? {
        get { nil }
        nonmutating set {}
    }
    func show(_ count: Int, of total: Int) {}
    func end(skipped: Int) {}
}

private struct Logger: Sendable {
    func debug(_ message: String) {}
    func warning(_ message: String) {}
}

private let bar = Bar()
private let logger = Logger()

private func show(_ image: Image) {}

extension URL {
    fileprivate func resized(to size: PixelSize) -> URL { appending(path: "\(size.width)x\(size.height)") }
}

// MARK: - Collaborators

private enum Collaborators {
    struct Thumbor: LoadInterceptor {
        func intercept(_ request: ImageRequest) -> LoadInterception {
            guard let size = request.context.thumbnailPixelSize else { return .proceed(request) }
            var request = request
            request.url = request.url?.resized(to: size)
            return .proceed(request)
        }
    }

    struct Twice: LoadInterceptor {
        func intercept(_ request: ImageRequest) -> LoadInterception {
            .around { chain throws(WebImageError) in
                do throws(WebImageError) { return try await chain.proceed() } catch {
                    guard error.kind == .transient else { throw error }
                    return try await chain.proceed()
                }
            }
        }
    }

    struct RetryOnLocalNetwork: OptionsProcessor {
        func process(_ request: ImageRequest) -> ImageRequest? {
            guard request.url?.host()?.hasSuffix(".local") == true else { return nil }
            var request = request
            request.options.insert(.retryFailed)
            return request
        }
    }

    struct SlowDecodes: LoadListener {
        func receive(_ event: LoadStageEvent) {
            guard event.stage == .decode, case .ended(_, let duration) = event.phase, duration > .milliseconds(50)
            else { return }
            logger.debug("\(event.url) took \(duration) to decode")
        }
    }

    struct WithoutQuery: CacheKeyFilter {
        func cacheKey(for url: URL) -> String? { url.absoluteString.split(separator: "?").first.map(String.init) }
    }

    struct Inverting: ImageTransformer {
        let transformerKey = "Inverting"
        func transform(_ image: Image, for key: CacheKey) -> Image? {
            var pixels = image.bitmap.withUnsafeBytes { Array($0) }
            // Four bytes a pixel, alpha last; the others are multiplied by it.
            for index in pixels.indices where index % 4 < 3 { pixels[index] = pixels[index | 3] - pixels[index] }
            guard let bitmap = try? Bitmap(size: image.pixelSize, pixels: pixels) else { return nil }
            return Image(bitmap: bitmap, scale: image.scale)
        }
    }
}

// MARK: - Settings

private func settings(of manager: WebImageManager, _ myQueue: DispatchQueue) -> WebImageContext {
    manager.interceptors.append(RetryInterceptor(attempts: 3))
    WebImageLog.setHandler { message in logger.warning("\(message)") }

    var context = WebImageContext()
    context.thumbnailPixelSize = PixelSize(width: 300, height: 300)
    context.transformer = .roundedCorners(radius: 8)

    context.callbackQueue = .main  // the default
    context.callbackQueue = CallbackQueue(myQueue)  // at once for callers on myQueue
    context.callbackQueue = CallbackQueue(myQueue, policy: .dispatch)
    return context
}

private func choose() -> WebImageContext {
    var context = WebImageContext()
    ImageCodersManager.shared.remove(.gif)
    context.coder = .png  // whatever the bytes are
    return context
}

private func register() {
    typealias MyCoder = PNGCoder
    ImageCodersManager.shared.add(MyCoder())
}

private func explain(_ request: ImageRequest) {
    logger.debug("\(WebImageManager.shared.explain(request))")
}

// MARK: - Loads

private func load(_ url: URL) async throws -> Image {
    let image = try await WebImageManager.shared.image(for: url)
    return image
}

private func load(_ urls: [URL], thumbnails: WebImageContext) async throws -> Image {
    let requests = urls.map { ImageRequest($0, options: .lowPriority, context: thumbnails) }
    let image = try await WebImageManager.shared.image(for: requests[0])
    return image
}

private func listen(to url: URL, manager: WebImageManager) async throws {
    for try await event in manager.events(for: url, options: .progressiveLoad) {
        switch event {
        case .progress(let progress): bar.fraction = progress.fractionCompleted
        case .partial(let image): show(image)
        case .cached(let result), .preview(let result), .finished(let result): show(result.image)
        }
    }
}

private func prefetch(_ urls: [URL]) async -> (PrefetchToken, PrefetchProgress) {
    let token = WebImagePrefetcher.shared.prefetch(urls, completed: nil)
    let result = await WebImagePrefetcher.shared.prefetch(urls)
    return (token, result)
}

private func prefetch(_ requests: [ImageRequest], by prefetcher: WebImagePrefetcher) {
    prefetcher.prefetch(requests, progress: { bar.show($0, of: $1) }, completed: { bar.end(skipped: $1) })
    prefetcher.prefetch(requests) { finishedCount, skippedCount in bar.end(skipped: skippedCount) }
}

@MainActor
private func prefetchAhead(_ items: [ImageRequest], _ visibleRange: Range<Int>) {
    let pictures = ListPrefetcher(cellPixelSize: PixelSize(width: 200, height: 200), coversCells: true) { index in
        ImageRequest(items[index].url)
    }
    pictures.show(visibleRange, itemCount: items.count)  // whenever it has changed
}

// MARK: - Pixels

private func pixels() throws -> (Bitmap, BuiltInTransformer) {
    let red = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [255, 0, 0, 255])
    let avatar = BuiltInTransformer.pipeline([.resize(width: 64, height: 64), .roundedCorners(radius: 32)])
    return (red, avatar)
}

// MARK: - Transitions

/// The members of a toolkit's view.
private protocol TransitionView: AnyObject {
    var imageTransition: WebImageTransition<any TransitionView>? { get set }
    var transform: ViewTransform { get set }
    func setOpacity(_ opacity: Double)
}

private typealias WidgetTransition = WebImageTransition<any TransitionView>

private func timing() -> [Double] {
    let curve = TimingFunction.easeIn
    let spring = TimingFunction.spring(dampingRatio: 0.5)
    let progresses = [curve.value(at: 0.5), spring.value(at: 0.2)]  // 0.315…, and 1.117…: it swings
    return progresses
}

@MainActor
private func presets(_ view: any TransitionView) {
    view.imageTransition = .fade
    view.imageTransition = .curlUp(duration: .seconds(1))
}

@MainActor
private func angles(_ view: any TransitionView) {
    view.imageTransition = .custom(.curlUp(angle: -.pi / 6), duration: .seconds(1))  // from the lower left corner
}

@MainActor
private func settings(_ view: any TransitionView) {
    var transition = WidgetTransition.flipFromLeft(duration: .seconds(0.8))
    transition.timingFunction = .spring(dampingRatio: 0.6)
    transition.completion = { finished in logger.debug("finished: \(finished)") }
    view.imageTransition = transition
}

@MainActor
private func halfATurn(_ view: any TransitionView) {
    var transition = WidgetTransition.fade
    transition.prepares = { view, image, imageData, cacheType, imageURL in
        view.transform = ViewTransform(rotation: .pi)
    }
    transition.animations = { view, image in
        view.transform = .identity
    }
    view.imageTransition = transition
}

@MainActor
private func animations(_ badge: any TransitionView) -> WidgetTransition {
    var transition = WidgetTransition.fade
    transition.animations = { view, image in
        TransitionContext.current?.onFrame { progress in badge.setOpacity(progress) }
    }
    return transition
}

private func ownEffects() -> [TransitionEffect] {
    let slideOver = TransitionEffect("slideOver") { progress, scene in
        var frame = scene.bounds
        frame.x = (1 - progress) * scene.size.width
        return [TransitionLayer(.old, source: scene.bounds), TransitionLayer(.new, source: scene.bounds, frame: frame)]
    }
    return [slideOver]
}

private func transforms() -> [ViewTransform] {
    let upsideDown = ViewTransform(rotation: .pi)
    let aside = ViewTransform(scale: 0.5, x: 20)  // half as large, and 20 points to the right
    return [upsideDown, aside]
}

private func trimmed(_ cache: DiskCache) throws(WebImageError) -> Int {
    let removed = try cache.trim(toSize: 500 << 20, age: .seconds(30 * 24 * 60 * 60))
    return removed.count
}

private func request(_ url: URL) -> ImageRequest {
    let request = ImageRequest(url, context: WebImageContext { $0.transformer = .roundedCorners(radius: 8) })
    return request
}

private func write(_ image: Image) throws -> Data {
    try image.write(to: URL(filePath: "portrait.webp"))

    let webP = try image.data(as: .webP, quality: 0.8)
    return webP
}

private func transformers() -> WebImageContext {
    var context = WebImageContext()
    context.transformer = .resize(width: 64, height: 64)
    context.transformer = .roundedCorners(radius: 8)
    context.transformer = .flip(horizontal: true)
    context.transformer = .pipeline([.resize(width: 64, height: 64), .roundedCorners(radius: 32)])
    return context
}

private func remembered(in memory: MemoryCache) -> Image? {
    let picture = memory.image(for: "https://example.org/cat.jpg")
    return picture
}

private func blurHash(of image: Image) throws -> Image {
    let hash = try BlurHash(of: image.bitmap)
    let placeholder = Image(bitmap: try hash.bitmap(size: PixelSize(width: 32, height: 24)))
    return placeholder
}

private func thumbHash(of image: Image) throws -> Image {
    let hash = try ThumbHash(of: image.bitmap)
    let placeholder = Image(bitmap: try hash.bitmap())
    return placeholder
}

private func sequence(in folder: URL) throws -> Image {
    let frames = (0..<24).map { folder.appending(path: "walk-\($0).png") }
    let image = try Image(animation: FileSequenceAnimation(frames, frameDuration: .milliseconds(40)))
    return image
}

private func sprites(_ file: URL) throws -> Image {
    let sheet = try Image(contentsOf: file)
    let image = try Image(animation: SpriteSheetAnimation(sheet.bitmap, columns: 8, rows: 4, frameCount: 30))
    return image
}

private struct Renderer: Sendable {
    func draw(_ index: Int) async throws -> Bitmap { try Bitmap(size: .square(1), pixels: [0, 0, 0, 255]) }
}

private func drawn(by renderer: Renderer) async throws -> Image {
    let animation = try ClosureAnimation(frameCount: 60) { index in try await renderer.draw(index) }
    let image = try await animation.makeImage()
    return image
}

private func named() throws -> Image {
    let icon = try Image(named: "spinner", in: Bundle.main.bundleURL, preferredScale: 2)
    return icon
}

// MARK: - Isolation

private func isolateDecoders() {
    ImageCodersManager.shared.isolation = .helper
    ImageCodersManager.shared.isolation = DecoderIsolation(.beyondBuiltIn, workers: .perOrigin)
}
