import WebImage

private let shared = FormatCoder(SVGCoder())

extension ImageCoder where Self == FormatCoder {
    /// SVG by librsvg, drawn at exactly the requested size; add it to ``WebImage/ImageCodersManager``.
    public static var svg: FormatCoder { shared }
}
