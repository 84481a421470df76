/// When a picture is decoded to pixels.
///
/// For source compatibility with SDWebImage only. This library decodes every picture in the background before delivery,
/// so all cases mean the same; ``WebImageManager/explain(_:)`` notes a load that sets one.
public enum ForceDecodePolicy: Sendable, Hashable {
    /// Before delivery.
    case automatic
    /// Before delivery, as ``automatic``.
    case never
    /// Before delivery, as ``automatic``.
    case always
}
