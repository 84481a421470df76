import FoundationEssentials
import WebImage
import WebImageCommandLine

/// Compares the files of two pictures.
struct PictureComparison: Sendable {
    /// The result.
    struct Findings: Sendable {
        let size: PixelSize
        let bitsPerChannel: Int
        let difference: BitmapDifference
        /// nil for pictures that are too small.
        let similarity: Double?
        /// The encoded picture of the differences; nil where none is wanted.
        let picture: Data?
    }

    let first: Operand
    let second: Operand
    let request: RequestOptions
    /// How many times larger the picture shows the differences; nil for no picture.
    let factor: Int?
    /// The format of that picture.
    let format: ImageFormat

    /// Reads both pictures at the same time, and compares them.
    ///
    /// - Throws: The errors of the loader and of the coders, with the picture's name; ``WebImageError/Code/cancelled`` when
    ///   the task was cancelled.
    func run() async throws(WebImageError) -> Findings {
        async let firstFile = read(first)
        async let secondFile = read(second)
        let (one, other) = await (firstFile, secondFile)
        let files = (try one.get(), try other.get())
        return try await LongWork.run { flag throws(WebImageError) in
            let bitmaps = (try decode(files.0, of: first, flag), try decode(files.1, of: second, flag))
            return try compare(try pair(bitmaps.0, bitmaps.1), until: flag)
        }
    }

    private func read(_ input: Operand) async -> Result<PictureFile, WebImageError> {
        do throws(WebImageError) {
            return .success(try await PictureFile.read(input, request))
        } catch {
            return .failure(error.about(input.name))
        }
    }

    private func decode(
        _ file: PictureFile, of input: Operand, _ flag: CancellationFlag
    ) throws(WebImageError) -> Bitmap {
        var options = ImageDecodeOptions()
        options.decodesFirstFrameOnly = true
        options.formatHint = file.hint
        options.cancellation = flag
        let coder = ImageCodersManager.shared
        do throws(WebImageError) {
            let properties = try coder.properties(of: file.data, isComplete: true, options: options)
            if properties?.bitsPerChannel ?? 8 > 8 { options.pixelFormat = .rgba16Premultiplied }
            return try coder.decode(file.data, options: options).bitmap
        } catch {
            throw error.about(input.name)
        }
    }

    private func pair(_ one: Bitmap, _ other: Bitmap) throws(WebImageError) -> BitmapPair {
        do throws(WebImageError) {
            return try BitmapPair(one, other)
        } catch {
            throw error.about("\(first.name) and \(second.name)")
        }
    }

    private func compare(_ pair: BitmapPair, until flag: CancellationFlag) throws(WebImageError) -> Findings {
        let picture = try factor.map { factor throws(WebImageError) in
            let bitmap = try pair.differencePicture(times: factor, until: flag)
            var options = ImageEncodeOptions()
            options.cancellation = flag
            return try ImageCodersManager.shared.encode(Image(bitmap: bitmap), to: format, options: options)
        }
        return Findings(
            size: pair.size, bitsPerChannel: pair.depth.bytesPerPixel * 2,
            difference: try pair.difference(until: flag), similarity: try pair.structuralSimilarity(until: flag),
            picture: picture)
    }
}
