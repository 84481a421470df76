import WebImageCoders
import WebImageCore

private let shared = FormatCoder(SVGCoder())

extension ImageCoder where Self == FormatCoder {
    /// SVG by librsvg, drawn at exactly the requested size; add it to ``WebImage/ImageCodersManager``.
    ///
    /// In the app's process it is for pictures that are trusted: the limits of time and memory do not hold within librsvg,
    /// which ends the process on some documents. Those of strangers belong in processes of their own
    /// (``WebImage/ImageCodersManager/isolation``).
    public static var svg: FormatCoder { shared }
}
