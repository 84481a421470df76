/// The cost of filter primitives, in passes over all pixels of ten nanoseconds each, measured with librsvg 2.54.
enum SVGFilterCost {
    /// For each octave of noise.
    static let octave = 10.0
    /// For converting the colours to linear ones and back.
    static let filter = 6.0

    private static let usual = 4.0
    private static let passes: [String: Double] = [
        "feGaussianBlur": 8, "feDropShadow": 12, "feDiffuseLighting": 8, "feSpecularLighting": 8,
        "feDisplacementMap": 80, "feTurbulence": octave, "feMergeNode": 1, "feFuncR": 0, "feFuncG": 0, "feFuncB": 0,
        "feFuncA": 0, "feDistantLight": 0, "fePointLight": 0, "feSpotLight": 0,
    ]

    /// The cost of the element regardless of its numbers; 0 for elements that are no filter primitives.
    static func passCount(of element: String) -> Double {
        if element == "filter" { return filter }
        return element.hasPrefix("fe") ? passes[element] ?? usual : 0
    }
}
