/// The order in which an animation's frames are shown.
public enum AnimatedImagePlaybackMode: Sendable, Hashable, CaseIterable {
    /// From the first frame to the last, and again from the first.
    case normal
    /// From the last frame to the first, and again from the last.
    case reverse
    /// From the first frame to the last and back. The ends are shown once per turn; a play ends with the first frame.
    case bounce
    /// From the last frame to the first and back. A play ends with the last frame.
    case reversedBounce
}
