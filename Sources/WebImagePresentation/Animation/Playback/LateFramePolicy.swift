/// The reaction of a player to frames that are decoded too late, and to a busy thread.
public enum LateFramePolicy: Sendable, Hashable {
    /// Shows each frame for its duration at least: playback slows down. SDWebImage's way, and the default of players.
    case neverSkip
    /// Skips frames whose time has passed: playback keeps its speed. The way of browsers, and the default of views.
    case keepClock
}
