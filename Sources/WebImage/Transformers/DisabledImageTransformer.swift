/// No transformer: as ``WebImageContext/imageTransformer``, it keeps a manager's own from a load.
public struct DisabledImageTransformer: ImageTransformer, Hashable {
    /// Switches transformers off.
    public init() {}

    /// Empty: the picture goes by its own name.
    public var transformerKey: String { "" }

    /// The picture as it is.
    public func transform(_ image: Image, for key: CacheKey) -> Image? { image }
}

extension ImageTransformer where Self == DisabledImageTransformer {
    /// No transformer, where a manager has one for all of its loads.
    public static var disabled: DisabledImageTransformer { DisabledImageTransformer() }
}
