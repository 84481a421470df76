/// When a picture is turned into pixels.
///
/// Kept for those who come from SDWebImage. Here every picture is turned into pixels in the background before it is
/// delivered, so that all cases mean the same; ``WebImageManager/explain(_:)`` says so of a load that names one.
public enum ForceDecodePolicy: Sendable, Hashable {
    /// Before it is delivered.
    case automatic
    /// Before it is delivered, as ``automatic``.
    case never
    /// Before it is delivered, as ``automatic``.
    case always
}
