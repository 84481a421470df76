import WebImageCore

/// A transformer of the library, which says of itself what saves work. An app's own says nothing.
package protocol LibraryTransformer: ImageTransformer {
    /// The result's size for a picture of `size`, known before any work, so that a pipeline whose later step is impossible
    /// does no earlier one. The same size by default.
    func forecast(for size: PixelSize, scale: Double) -> SizeForecast
    /// The part of a picture of `size` that a decode makes by itself, without memory for the whole picture; nil, the
    /// default, if the decode cannot help.
    func region(of size: PixelSize, scale: Double) -> DecodeRegion?
    /// The rest of the work, for the decoded region.
    var afterRegion: any ImageTransformer { get }
    /// The transformer for the frames of `animation`, each by itself, where the result depends on all of them: frames of
    /// different sizes are no animation. Decodes them, one at a time. This transformer by default.
    ///
    /// - Parameter scale: That of the frames.
    func forFrames(
        of animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> any ImageTransformer
    /// The work of a transformer that looks at one pixel at a time; nil, the default, for others.
    var colors: ColorPass? { get }
}

extension LibraryTransformer {
    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast { .size(size) }
    package func region(of size: PixelSize, scale: Double) -> DecodeRegion? { nil }
    package var afterRegion: any ImageTransformer { self }
    package func forFrames(
        of animation: any AnimatedImageProvider, scale: Double, cancellation: CancellationFlag?
    ) -> any ImageTransformer { self }
    package var colors: ColorPass? { nil }
}

extension ImageTransformer {
    /// The transformer with all that it says of itself; nil for one of an app's own.
    package var described: (any LibraryTransformer)? { self as? any LibraryTransformer }

    /// The result's size for a picture of `size`.
    package func forecastedSize(for size: PixelSize, scale: Double) -> SizeForecast {
        described?.forecast(for: size, scale: scale) ?? .unknown
    }

    /// The transformer for each frame of an animation by itself, and for its first one as a still picture: with it, all
    /// have one size. Itself for a still picture, and where frames do not depend on others.
    package func settled(
        on animation: (any AnimatedImageProvider)?, scale: Double, cancellation: CancellationFlag? = nil
    ) -> any ImageTransformer {
        guard let animation, let described else { return self }
        return described.forFrames(of: animation, scale: scale, cancellation: cancellation)
    }
}
