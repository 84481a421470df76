import WebImageCore
import WebImagePixels

/// The picture of a ``PictureSurface``, with its transition and its playback.
final class SurfaceDisplay: PresentationSurface {
    /// Weak: running loads retain the display.
    private(set) weak var surface: (any PictureSurface)?
    let scroller: ScrollerLoads?
    let clock: any AnimationClock
    var isSeen = true
    var progressiveDisplay = ProgressiveDisplay.topToBottom
    /// The picture at rest, or at the end of the transition that runs.
    var picture: SurfacePicture?
    /// Loads that wait for the size of the view.
    var waitingForSize: [ViewLoadID: @MainActor () -> Void] = [:]

    var running: RunningTransition?
    /// The transitions so far: one that has begun in the meantime wins.
    var transitionCount = 0
    /// Whether a transition that begins sets its picture now.
    var isChanging = false

    var playback: SurfacePlayback?
    var wishesPlayback: Bool?
    var playbackSettings = PlaybackSettings() {
        didSet { settingsHaveChanged() }
    }

    init(_ surface: any PictureSurface, in scroller: ScrollerLoads?, clock: any AnimationClock) {
        self.surface = surface
        self.scroller = scroller
        self.clock = clock
    }

    /// A load for the view begins: it does not continue the animation of another one.
    func beginsLoad() { playback?.belongsToFormerLoad = true }

    /// The presenter is being released.
    func end() {
        surface = nil
        stop()
        playback = nil
    }

    /// Draws the picture again, unless a frame of a transition follows anyway.
    func redraw() {
        if let picture { self.picture = placed(picture.image, picture.bitmap, as: picture.role) }
        if running == nil, !isChanging { surface?.show(SurfaceContent(picture)) }
    }

    func visibilityHasChanged() {
        if !isSeen { finishTransition() }
        arrangePlayback()
    }

    /// Shows a picture, or nothing, in place of anything that moves.
    func set(_ image: Image?, as role: PictureRole) {
        let image = image?.drawn
        if !isChanging { interrupt() }
        picture = image.map { placed($0, $0.bitmap, as: role) }
        redraw()
        if !isChanging { arrangePlayback() }
    }

    private func placed(_ image: Image, _ bitmap: Bitmap, as role: PictureRole) -> SurfacePicture {
        SurfacePicture(image: image, bitmap: bitmap, role: role, frame: surface?.placement?.frame(of: image))
    }
}

// MARK: - PresentationSurface

extension SurfaceDisplay {
    func image(in view: SurfaceDisplay) -> Image? { picture?.image }

    func show(_ image: Image?, as role: PictureRole, in view: SurfaceDisplay) {
        if role == .preliminary || role == .completed, let image, case .blurToSharp(let time) = progressiveDisplay {
            return dissolve(to: image, as: role, in: time)
        }
        set(image, as: role)
    }

    func settle(_ view: SurfaceDisplay) {}

    func setStatus(_ status: ViewLoadStatus) { surface?.show(status) }

    func startIndicator() { surface?.show(progress: 0) }

    func stopIndicator() { surface?.show(progress: nil) }

    func updateIndicator(_ progress: Double) { surface?.show(progress: progress) }

    func image(at place: ViewLoadKey) -> Image? { picture?.image }

    func decodeBox(at place: ViewLoadKey) -> DecodeBox? { surface?.placement?.box }

    func drop(_ place: ViewLoadKey) { set(nil, as: .placeholder) }

    func standIn(_ image: Image?, at place: ViewLoadKey) { set(image, as: .placeholder) }

    func replace(by image: Image, at place: ViewLoadKey) { set(image, as: .completed) }
}
