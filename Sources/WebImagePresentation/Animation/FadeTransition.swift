import WebImageCore

/// A fade from the view's former content to a new picture.
///
/// The defaults are those of the article "How to load pictures with a fade" that the library follows: 0.85 s, with ease
/// in and out, and only for a picture that was not in a cache. A cached picture shows at once.
package struct FadeTransition: Sendable, Equatable {
    /// The time from the old picture to the new one.
    package var duration: Duration
    /// The curve from time to the new picture's opacity.
    package var timing: TimingFunction

    /// A fade in `duration`.
    package init(duration: Duration = .seconds(0.85), timing: TimingFunction = .easeInEaseOut) {
        self.duration = duration
        self.timing = timing
    }

    /// Whether a load that ended with `result` fades in: only a picture, and only from the network.
    package static func applies(to result: Result<LoadResult, WebImageError>) -> Bool {
        guard case .success(let success) = result else { return false }
        return success.cacheType == .noCache
    }
}
