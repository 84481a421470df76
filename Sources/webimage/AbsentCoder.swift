import FoundationEssentials
import WebImage

/// Takes the place of a coder that this program was built without, to say how to get it.
struct AbsentCoder: ImageCoder {
    let format: ImageFormat
    /// The text after "this program was built without FORMAT; ".
    let advice: String

    func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data) == format }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { throw error }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image { throw error }

    private var error: WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent,
            reason: "this program was built without \(format); \(advice)")
    }
}
