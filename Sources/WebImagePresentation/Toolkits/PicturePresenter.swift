import FoundationEssentials
import WebImageCore
import WebImageLoading

/// Loads pictures into a view of any toolkit, with all that `setImage` of a GTK view does: placeholders, previews, partial
/// pictures, transitions, animations, an order of loads, and pictures that are decoded for the size of the view.
///
/// The view owns it. A new load replaces the one before, a late result is never shown, and the loads are cancelled when the
/// presenter is released. It does not retain the view. On the main actor only.
///
/// A view with several pictures has a presenter for each.
@MainActor
public final class PicturePresenter<Surface: PictureSurface> {
    let display: SurfaceDisplay
    let loads: ViewCoordinator<SurfaceDisplay>

    /// A presenter that shows nothing yet.
    ///
    /// - Parameters:
    ///   - scroller: Decides when loads begin; nil, the default, for at once.
    ///   - clock: The time of transitions and animations; nil for ``MainQueueClock``. A toolkit with a clock of its own calls in
    ///     the next frame after the time that was asked for.
    ///   - queue: Where the main loop of the toolkit runs calls, on the main thread; the main queue by default.
    public init(
        for surface: Surface, in scroller: ScrollerLoads? = nil, clock: (any AnimationClock)? = nil,
        queue: CallbackQueue = .main
    ) {
        display = SurfaceDisplay(surface, in: scroller, clock: clock ?? MainQueueClock.shared)
        loads = ViewCoordinator(surface: display, queue: queue)
        loads.changeIndicator(isThere: true) {}
    }

    isolated deinit {
        display.end()
        loads.end()
    }

    /// The picture; nil when there is none. Setting one does not affect a running load. A picture that was released
    /// (``releasePicture()``) is looked up in memory.
    public var image: Image? {
        get { display.picture?.image ?? loads.upkeep.droppedImage(at: .image) }
        set {
            loads.upkeep.forget(.image)
            display.show(newValue, as: .placeholder, in: display)
        }
    }

    /// The transition to a picture that does not come from memory; nil, the default, shows it at once. Its closures get the
    /// view.
    public var imageTransition: WebImageTransition<Surface>? {
        didSet { loads.transition = imageTransition?.ofDisplay }
    }

    /// Shown when a load fails whose context has no picture for that; nil by default, which leaves the placeholder.
    public var errorImage: Image? {
        get { loads.errorImages[.image] }
        set { loads.errorImages[.image] = newValue }
    }

    /// The way partial pictures are shown; by default each replaces the one before.
    public var progressiveDisplay: ProgressiveDisplay {
        get { display.progressiveDisplay }
        set { display.progressiveDisplay = newValue }
    }

    /// How animations are played.
    public var playback: PlaybackSettings {
        get { display.playbackSettings }
        set { display.playbackSettings = newValue }
    }

    /// The player of the animation that is shown; nil for a still picture.
    public var player: AnimatedImagePlayer? { display.playback?.player }

    /// Whether the view can be seen; true by default. An unseen one has no transitions and does not play, and its loads come
    /// after those of others.
    public var isSeen: Bool {
        get { display.isSeen }
        set {
            guard newValue != display.isSeen else { return }
            display.isSeen = newValue
            loads.visibilityHasChanged()
            display.visibilityHasChanged()
        }
    }

    /// ``PictureSurface/placement`` has changed. Loads that wait for the size begin, and a picture that is too small for it now
    /// is decoded again.
    public func layoutHasChanged() {
        display.resumeWaitingLoads()
        display.redraw()
        loads.upkeep.viewMayHaveGrown(at: .image)
    }

    /// Releases the picture of an unseen view, if memory has it and it need not be transferred again otherwise. It is there
    /// again when ``isSeen`` becomes true. Without effect on a view that can be seen.
    public func releasePicture() {
        if !isSeen { loads.upkeep.drop() }
    }
}

extension WebImageTransition where View: PictureSurface {
    /// The same for loads, which do not retain the view.
    @MainActor
    var ofDisplay: WebImageTransition<SurfaceDisplay> {
        var transition = WebImageTransition<SurfaceDisplay>()
        if let prepares {
            transition.prepares = { display, image, data, source, url in
                if let view = display.surface as? View { prepares(view, image, data, source, url) }
            }
        }
        if let animations {
            transition.animations = { display, image in
                if let view = display.surface as? View { animations(view, image) }
            }
        }
        transition.avoidAutoSetImage = avoidAutoSetImage
        transition.completion = completion
        transition.duration = duration
        transition.timingFunction = timingFunction
        transition.animationOptions = animationOptions
        transition.effect = effect
        return transition
    }
}
