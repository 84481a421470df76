/// A new picture appears gradually over what the view showed before.
///
/// The defaults are those of the article "How to load pictures with a fade" that the library follows: 0.85 s, slow at
/// both ends, and only for a picture that had to be waited for. A picture from a cache is there at once.
public struct FadeTransition: Sendable, Hashable {
    /// Seconds from the old picture to the new one.
    public var duration: Double
    /// How the new picture's opacity follows time.
    public var timing: TimingFunction

    /// A fade of `duration` seconds.
    public init(duration: Double = 0.85, timing: TimingFunction = .easeInEaseOut) {
        self.duration = duration
        self.timing = timing
    }

    /// Whether a load that ended with `result` fades in: only a picture, and only one that came from the network.
    public static func applies(to result: Result<LoadResult, WebImageError>) -> Bool {
        guard case .success(let success) = result else { return false }
        return success.cacheType == .none
    }
}
