import FoundationEssentials
import WebImage

/// Stands for a coder that this program was built without, to say how to get it.
struct AbsentCoder: ImageCoder {
    let format: ImageFormat
    /// After "this program was built without FORMAT; ".
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
