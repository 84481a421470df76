/// No transformer: as ``WebImageContext/transformer``, it disables a manager's transformer for a load.
public struct DisabledImageTransformer: ImageTransformer, Hashable {
    /// Disables transformers.
    public init() {}

    /// Empty: the picture keeps its own key.
    public var transformerKey: String { "" }

    /// The unchanged picture.
    public func transform(_ image: Image, for key: CacheKey) -> Image? { image }
}

extension ImageTransformer where Self == DisabledImageTransformer {
    /// No transformer, for a load of a manager with a transformer.
    public static var disabled: DisabledImageTransformer { DisabledImageTransformer() }
}
