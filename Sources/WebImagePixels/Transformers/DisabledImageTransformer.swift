import WebImageCore

/// No transformer: as ``WebImageContext/transformer``, it disables a manager's transformer for a load.
package struct DisabledImageTransformer: LibraryTransformer, Hashable {
    /// Disables transformers.
    package init() {}

    /// Empty: the picture keeps its own key.
    package var transformerKey: String { "" }

    /// The unchanged picture.
    package func transform(_ image: Image, for key: CacheKey) -> Image? { image }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// No transformer, for a load of a manager with a transformer.
    public static var disabled: BuiltInTransformer { BuiltInTransformer(DisabledImageTransformer()) }
}
