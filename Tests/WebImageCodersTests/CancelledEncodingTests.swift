import Testing
import WebImageCoders
import WebImagePixels

@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("Encoders that are cancelled")
struct CancelledEncodingTests {
    @Test("an encoder ends soon after the cancellation", arguments: [ImageFormat.jpeg, .png, .webP])
    func cancelled(format: ImageFormat) throws {
        let image = Image(bitmap: try TestPicture.noise(PixelSize(width: 300, height: 300), isOpaque: true))
        let flag = CancellationFlag()
        flag.cancel()
        TransformCancellation.$flag.withValue(flag) {
            let error = #expect(throws: WebImageError.self) {
                try ImageCodersManager.shared.encode(image, to: format, options: ImageEncodeOptions())
            }
            #expect(error?.code == .cancelled)
        }
        #expect(try !ImageCodersManager.shared.encode(image, to: format, options: ImageEncodeOptions()).isEmpty)
    }

    @Test("a large convolution ends within a row of its result")
    func convolution() throws {
        let flag = CancellationFlag()
        flag.cancel()
        let kernel = try #require(ConvolutionKernel(width: 3, height: 3, weights: Array(repeating: 1, count: 9)))
        let picture = try TestPicture.plain(PixelSize(width: 9, height: 9), [1, 2, 3, 255])
        TransformCancellation.$flag.withValue(flag) {
            let error = #expect(throws: WebImageError.self) { try picture.convolved(with: kernel) }
            #expect(error?.code == .cancelled)
        }
    }
}
