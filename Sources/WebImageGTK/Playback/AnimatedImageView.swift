import FoundationEssentials
import WebImage

/// A view that plays animations, with a player of its own and SDWebImage's names for its settings.
///
/// ```swift
/// let view = AnimatedImageView(URL(string: "https://example.org/cat.gif"))
/// view.playbackRate = 2
/// view.shouldCustomLoopCount = true
/// view.animationRepeatCount = 3
/// gtk_box_append(box, view.widget)
/// ```
/// All other views play animations, too; see ``WidgetView/playback``. This one is not in step with others, unless its
/// settings say so, and has its player's state, and all of ``PlaybackSettings``, as properties: `playbackRate`,
/// `playbackMode`, `maxBufferSize`, `shouldIncrementalLoad`, `clearBufferWhenStopped`, `resetFrameIndexWhenStopped`,
/// `autoPlayAnimatedImage`, `animationTransformer`. On the main thread only.
@MainActor
@dynamicMemberLookup
public final class AnimatedImageView: WebImageView {
    /// See ``WebImageView/init(_:size:placeholder:)``.
    public override init(_ url: URL? = nil, size: PointSize? = nil, placeholder: Image? = nil) {
        super.init(nil, size: size, placeholder: placeholder)
        playback.isInStep = false
        self.url = url
    }

    /// The frame that is shown; nil for a still picture.
    public var currentFrame: Bitmap? { player?.currentFrame }
    /// The index of that frame; 0 for a still picture.
    public var currentFrameIndex: Int { player?.currentFrameIndex ?? 0 }
    /// The number of plays so far.
    public var currentLoopCount: Int { player?.currentLoopCount ?? 0 }
    /// Whether the animation is still arriving.
    public var isProgressive: Bool { image?.metadata.isIncremental ?? false }

    /// One of ``PlaybackSettings``.
    public subscript<Value>(dynamicMember setting: WritableKeyPath<PlaybackSettings, Value>) -> Value {
        get { playback[keyPath: setting] }
        set { playback[keyPath: setting] = newValue }
    }

    /// Whether ``animationRepeatCount`` applies instead of the animation's number of plays; false by default.
    public var shouldCustomLoopCount = false {
        didSet { applyRepeatCount() }
    }

    /// The number of plays, with ``shouldCustomLoopCount``; 0, the default, for endless.
    public var animationRepeatCount = 0 {
        didSet { applyRepeatCount() }
    }

    private func applyRepeatCount() {
        playback.animationRepeatCount = shouldCustomLoopCount ? max(0, animationRepeatCount) : nil
    }
}
