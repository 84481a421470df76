import WebImage
import WebImageCommandLine

/// The value of `--overlay`.
struct OverlayOption: Sendable {
    let picture: Operand
    let placement: OverlayPlacement
    let opacity: Double

    static let placements: KeyValuePairs<String, OverlayPlacement> = [
        "top-left": .topLeft, "top": .top, "top-right": .topRight, "left": .left, "center": .center, "right": .right,
        "bottom-left": .bottomLeft, "bottom": .bottom, "bottom-right": .bottomRight,
    ]

    /// `FILE`, `FILE@PLACE` or `FILE@PLACE:OPACITY`; nil for a place that there is not.
    init?(_ text: String) {
        let (file, place) = Self.split(text)
        guard !file.isEmpty, file != "-" else { return nil }
        let words = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let placement = Self.placements.first(where: { $0.key == words[0].lowercased() })?.value else {
            return nil
        }
        let opacity = words.count > 1 ? OptionValue<Double>.number(0...1).parse(words[1]) : 1
        guard let opacity else { return nil }
        self.picture = Operand(file)
        self.placement = placement
        self.opacity = opacity
    }

    /// Names such as `logo@2x.png` have the sign, too, but no place has a point or a slash before a colon.
    private static func split(_ text: String) -> (file: String, place: String) {
        guard let sign = text.lastIndex(of: "@") else { return (text, "center") }
        let place = text[text.index(after: sign)...]
        let name = place.prefix { $0 != ":" }
        guard !name.contains("."), !name.contains("/") else { return (text, "center") }
        return (String(text[..<sign]), String(place))
    }

    /// Loads the overlay.
    ///
    /// - Throws: The errors of the loader and of the coders, with the overlay's name.
    func ready(_ request: RequestOptions) async throws(WebImageError) -> BuiltInTransformer {
        do throws(WebImageError) {
            let file = try await PictureFile.read(picture, request)
            let image = try await LongWork.run { flag throws(WebImageError) in
                var options = ImageDecodeOptions()
                options.decodesFirstFrameOnly = true
                options.formatHint = file.hint
                options.cancellation = flag
                return try ImageCodersManager.shared.decode(file.data, options: options)
            }
            return .overlay(Image(bitmap: image.bitmap), at: placement, opacity: opacity)
        } catch {
            throw error.about(picture.name)
        }
    }
}

extension OptionValue where Value == OverlayOption {
    /// A picture and its place.
    static var overlay: Self {
        let places = OverlayOption.placements.map(\.key)
        return Self(
            placeholder: "FILE[@PLACE]",
            expectation: "a picture, or one with its place after @ (\(places.inWords("or"))) and a number from 0 to 1 "
                + "after a colon, such as logo.png@bottom-right:0.5",
            completion: .files, parse: OverlayOption.init)
    }
}
