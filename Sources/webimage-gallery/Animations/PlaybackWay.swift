import WebImage

/// The way that a view of the page plays its animation.
nonisolated struct PlaybackWay: Sendable {
    /// For the caption; nil for the usual way.
    let name: String?
    let settings: PlaybackSettings

    init(_ name: String?, _ change: (inout PlaybackSettings) -> Void = { _ in }) {
        var settings = PlaybackSettings()
        change(&settings)
        (self.name, self.settings) = (name, settings)
    }

    static func inStep(_ name: String?) -> PlaybackWay { PlaybackWay(name) }

    /// Views of one address: the first ones show the same frame, the last one goes its own way.
    static let ofOneURL = [
        inStep("In step"), inStep("In step"), inStep("In step"),
        PlaybackWay("Free") {
            $0.isInStep = false
            $0.playbackRate = 0.7
        },
    ]

    static let others = [
        PlaybackWay("Bounce") { $0.playbackMode = .bounce },
        PlaybackWay("Reverse") { $0.playbackMode = .reverse },
        PlaybackWay("Three times") { $0.animationRepeatCount = 3 },
        PlaybackWay("Double speed") { $0.playbackRate = 2 },
        PlaybackWay("On a click") { $0.autoPlayAnimatedImage = false },
    ]
}
