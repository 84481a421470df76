/// How a view's former content gives way to the new one: a pure function of progress.
///
/// ```swift
/// let slideOver = TransitionEffect("slideOver") { progress, scene in
///     var frame = scene.bounds
///     frame.x = (1 - progress) * scene.size.width
///     return [TransitionLayer(.old, source: scene.bounds), TransitionLayer(.new, source: scene.bounds, frame: frame)]
/// }
/// ```
/// It knows no toolkit, no clock and no pixels: the same progress always gives the same layers.
public struct TransitionEffect: Sendable {
    /// Layers at a progress of 0 (only the former content is seen) to 1 (only the new one), from back to front. A timing
    /// function may overshoot these ends.
    public typealias Layers = @Sendable (_ progress: Double, _ scene: TransitionScene) -> [TransitionLayer]

    /// What it is called, as in `webimage transition --effect`.
    public let name: String
    private let body: Layers

    /// An effect of the app's own. `layers` is called once for each frame, on the main thread.
    public init(_ name: String, layers: @escaping Layers) {
        self.name = name
        body = layers
    }

    /// What a view shows at `progress`, from back to front.
    public func layers(at progress: Double, in scene: TransitionScene) -> [TransitionLayer] { body(progress, scene) }
}

extension TransitionEffect {
    /// All that the library has.
    public static let all = [
        crossDissolve, flipFromLeft, flipFromRight, flipFromTop, flipFromBottom, curlUp, curlDown, pushFromLeft,
        pushFromRight, pushFromTop, pushFromBottom, revealFromTop, revealFromBottom, zoom, blurToSharp,
    ]

    /// The one of ``all`` that has this name, upper and lower case alike; nil when none has.
    public static func named(_ name: String) -> TransitionEffect? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }
}
