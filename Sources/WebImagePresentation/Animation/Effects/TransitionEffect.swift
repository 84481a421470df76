/// The way from a view's former content to its new content: a pure function of progress.
///
/// ```swift
/// let slideOver = TransitionEffect("slideOver") { progress, scene in
///     var frame = scene.bounds
///     frame.x = (1 - progress) * scene.size.width
///     return [TransitionLayer(.old, source: scene.bounds), TransitionLayer(.new, source: scene.bounds, frame: frame)]
/// }
/// ```
/// It is independent of toolkits, clocks and pixels: the same progress always gives the same layers.
public struct TransitionEffect: Sendable {
    package typealias Layers = @Sendable (_ progress: Double, _ scene: TransitionScene) -> [TransitionLayer]

    /// The name, as in `webimage transition --effect`.
    public let name: String
    private let body: Layers

    /// An effect of the app's own.
    ///
    /// - Parameter layers: Returns the layers at a progress of 0 (the former content alone) to 1 (the new content alone),
    ///   from back to front; a timing function may overshoot both ends. Called once for each frame, on the main thread.
    public init(
        _ name: String, layers: @escaping @Sendable (_ progress: Double, _ scene: TransitionScene) -> [TransitionLayer]
    ) {
        self.name = name
        body = layers
    }

    /// The content of a view at `progress`, from back to front.
    public func layers(at progress: Double, in scene: TransitionScene) -> [TransitionLayer] { body(progress, scene) }
}

extension TransitionEffect {
    /// All effects of the library.
    package static let all = [
        crossDissolve, flipFromLeft, flipFromRight, flipFromTop, flipFromBottom, curlUp, curlDown, pushFromLeft,
        pushFromRight, pushFromTop, pushFromBottom, revealFromTop, revealFromBottom, zoom, blurToSharp,
    ]

    /// The effect in ``all`` with this name, ignoring case; nil when there is none.
    package static func named(_ name: String) -> TransitionEffect? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }
}
