import CGtk4
import FoundationEssentials
import WebImage

@testable import WebImageGTK

/// Animations whose progress a test sets.
@MainActor
final class ManualAnimator: PageAnimator {
    final class Run: PageAnimation {
        let duration: Double
        fileprivate let step: (Double) -> Void
        fileprivate let ended: () -> Void
        fileprivate(set) var isRunning = true

        fileprivate init(_ duration: Double, step: @escaping (Double) -> Void, ended: @escaping () -> Void) {
            self.duration = duration
            self.step = step
            self.ended = ended
        }

        func stop() { isRunning = false }
    }

    private(set) var runs: [Run] = []

    var running: [Run] { runs.filter(\.isRunning) }

    func start(
        _ duration: Double, _ timing: TimingFunction, step: @escaping (Double) -> Void, ended: @escaping () -> Void
    ) -> (any PageAnimation)? {
        let run = Run(duration, step: step, ended: ended)
        runs.append(run)
        return run
    }

    /// Moves all running animations.
    func advance(to progress: Double) {
        for run in running { run.step(progress) }
    }

    /// Ends those that run now; what they start goes on.
    func finish() {
        for run in running {
            run.isRunning = false
            run.step(1)
            run.ended()
        }
    }

    /// Ends all, and what they start.
    func finishAll() {
        for _ in 0..<10 where !running.isEmpty { finish() }
    }
}

/// Decodes eight bytes, a colour and a size, to a picture of that size, or of what is asked for.
struct SizedColourCoder: ImageCoder {
    static func file(_ colour: Colour, width: Int, height: Int) -> Data {
        Data(colour.channels + [width >> 8, width & 255, height >> 8, height & 255].map { UInt8($0) })
    }

    func canDecode(_ data: Data) -> Bool { true }

    private func size(of data: Data) -> PixelSize? {
        let bytes = [UInt8](data)
        guard bytes.count == 8 else { return nil }
        return PixelSize(width: Int(bytes[4]) << 8 | Int(bytes[5]), height: Int(bytes[6]) << 8 | Int(bytes[7]))
    }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        size(of: data).map { ImageProperties(format: .undefined, pixelSize: $0) }
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        guard let size = size(of: data) else {
            throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "not a colour")
        }
        let bytes = [UInt8](data)
        let colour = Colour(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: bytes[3])
        let small = try colour.image(width: max(1, size.width / 16), height: max(1, size.height / 16))
        var metadata = ImageMetadata(format: .undefined, originalPixelSize: size)
        metadata.isThumbnail = true
        return Image(bitmap: small.bitmap, metadata: metadata)
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "colours are not encoded")
    }
}

/// A data source and a delegate that note what they are asked and told.
@MainActor
final class BrowserApp: PhotoBrowserDataSource, PhotoBrowserDelegate {
    var photos: [Photo]
    var thumbnails: [Int: Photo] = [:]
    var views: [Int: any WidgetView] = [:]
    var failing: Set<Int> = []
    private(set) var events: [String] = []
    private(set) var asked: [Int] = []
    private(set) var countCalls = 0
    var selected: Set<Int> = []
    var titles: [Int: String] = [:]
    var captions: [Int: String] = [:]
    var handlesAction = false
    var handlesClosing = false
    /// Called while the browser tells of a load.
    var whenLoaded: () -> Void = {}

    init(_ photos: [Photo]) { self.photos = photos }

    func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    func takeAsked() -> [Int] {
        defer { asked = [] }
        return asked
    }

    struct Refusal: Error {}

    func numberOfPhotos(in browser: PhotoBrowser) -> Int {
        countCalls += 1
        return photos.count
    }

    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int) throws -> Photo? {
        asked.append(index)
        if failing.contains(index) { throw Refusal() }
        return photos.indices.contains(index) ? photos[index] : nil
    }

    func photoBrowser(_ browser: PhotoBrowser, thumbPhotoAt index: Int) -> Photo? { thumbnails[index] }

    func photoBrowser(_ browser: PhotoBrowser, thumbnailViewAt index: Int) -> (any WidgetView)? { views[index] }

    func photoBrowser(_ browser: PhotoBrowser, captionViewAt index: Int) -> UnsafeMutablePointer<GtkWidget>? {
        captions[index].map { gtk_label_new($0) }
    }

    func photoBrowser(_ browser: PhotoBrowser, titleAt index: Int) -> String? { titles[index] }

    func photoBrowser(_ browser: PhotoBrowser, didDisplayPhotoAt index: Int) { events.append("display \(index)") }

    func photoBrowser(_ browser: PhotoBrowser, didLoadPhotoAt index: Int, zoomScale: Double) {
        events.append("load \(index) \(zoomScale)")
        whenLoaded()
    }

    func photoBrowser(_ browser: PhotoBrowser, didFailToLoadPhotoAt index: Int, error: WebImageError) {
        events.append("fail \(index)")
    }

    func photoBrowser(_ browser: PhotoBrowser, actionButtonPressedAt index: Int) -> Bool {
        events.append("action \(index)")
        return handlesAction
    }

    func photoBrowser(_ browser: PhotoBrowser, isPhotoSelectedAt index: Int) -> Bool { selected.contains(index) }

    func photoBrowser(_ browser: PhotoBrowser, photoAt index: Int, selectedChanged isSelected: Bool) {
        events.append("select \(index) \(isSelected)")
        if isSelected { selected.insert(index) } else { selected.remove(index) }
    }

    func photoBrowserDidFinishPresentation(_ browser: PhotoBrowser) -> Bool {
        events.append("finish")
        return handlesClosing
    }
}
