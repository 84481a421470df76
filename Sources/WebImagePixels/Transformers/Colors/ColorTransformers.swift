import WebImageCore

/// A transformer that looks at one pixel at a time: neighbouring ones in a pipeline run as one pass.
protocol ColorTransformer: LibraryTransformer {
    /// The changes of each pixel, in their order.
    var steps: [ColorStep] { get }
}

extension ColorTransformer {
    /// The picture with its pixels changed; nil without memory.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        (try? image.bitmap.applying(steps)).map(image.still)
    }

    package var colors: ColorPass? { ColorPass(steps: steps) }
}

/// Several colour transformers as one pass over the pixels.
package struct ColorPass: ColorTransformer {
    let steps: [ColorStep]
    /// Never used: the pipeline has the key of all its transformers.
    package var transformerKey: String { "ColorPass" }
}

/// Changes colours; see ``Image/filtered(by:)``.
package struct ImageFilterTransformer: ColorTransformer, Hashable {
    /// The filters in order.
    package let filters: [ColorFilter]

    /// A transformer that applies filters one after the other.
    package init(_ filters: [ColorFilter]) { self.filters = filters }

    /// `ImageFilterTransformer(sepia,0.400000)`: with the parameters, which SDWebImage's key lacks.
    package var transformerKey: String {
        filters.isEmpty ? "" : "ImageFilterTransformer(\(filters.map(\.key).joined(separator: ";")))"
    }

    var steps: [ColorStep] { filters.map(\.step) }
}

/// Draws a colour over pictures; see ``Image/tinted(with:mode:)``.
package struct ImageTintTransformer: ColorTransformer, Hashable {
    /// The colour.
    package let color: RGBAColor
    /// The way in which it is drawn.
    package let mode: BlendMode

    /// A transformer that draws a colour over pictures.
    package init(color: RGBAColor, mode: BlendMode) {
        self.color = color
        self.mode = mode
    }

    /// `SDImageTintTransformer(#ff000000,18)`, as in SDWebImage.
    package var transformerKey: String { "SDImageTintTransformer(\(color.hex),\(mode.number))" }

    var steps: [ColorStep] { [.tint(color, mode)] }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Changes the colours of pictures by filters, one after the other.
    ///
    /// ```swift
    /// context.transformer = .filter(.sepia(0.4), .contrast(1.1))
    /// ```
    public static func filter(_ filters: ColorFilter...) -> BuiltInTransformer {
        BuiltInTransformer(ImageFilterTransformer(filters))
    }

    /// Draws a colour over pictures; by default they become templates of that colour.
    ///
    /// ```swift
    /// context.transformer = .tint(.black)
    /// ```
    public static func tint(_ color: RGBAColor, mode: BlendMode = .sourceIn) -> BuiltInTransformer {
        BuiltInTransformer(ImageTintTransformer(color: color, mode: mode))
    }
}
