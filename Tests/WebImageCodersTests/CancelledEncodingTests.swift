import Testing
import WebImageCoders
import WebImagePixels

@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("Encoders that are cancelled")
struct CancelledEncodingTests {
    private let options: ImageEncodeOptions

    init() {
        var options = ImageEncodeOptions()
        options.cancellation = CancellationFlag()
        options.cancellation?.cancel()
        self.options = options
    }

    @Test("an encoder of animations ends before the next frame", arguments: [ImageFormat.gif, .png, .webP])
    func frames(format: ImageFormat) throws {
        let frames = try (0..<2).map {
            try ImageFrame(bitmap: TestPicture.plain(.square(9), [$0, 2, 3, 255]), duration: .milliseconds(50))
        }
        let error = #expect(throws: WebImageError.self) {
            try ImageCodersManager.shared.encode(frames, loopCount: 0, to: format, options: options)
        }
        #expect(error?.code == .cancelled)
    }

    @Test("an encoder ends soon after the cancellation", arguments: [ImageFormat.jpeg, .png, .webP])
    func cancelled(format: ImageFormat) throws {
        let image = Image(bitmap: try TestPicture.noise(PixelSize(width: 300, height: 300), isOpaque: true))
        let error = #expect(throws: WebImageError.self) {
            try ImageCodersManager.shared.encode(image, to: format, options: options)
        }
        #expect(error?.code == .cancelled)
        #expect(options == ImageEncodeOptions(), "the cancellation does not count in comparisons")
        #expect(try !ImageCodersManager.shared.encode(image, to: format, options: ImageEncodeOptions()).isEmpty)
    }

    @Test("a large convolution ends within a row of its result")
    func convolution() throws {
        let flag = CancellationFlag()
        flag.cancel()
        let kernel = try #require(ConvolutionKernel(width: 3, height: 3, weights: Array(repeating: 1, count: 9)))
        let picture = try TestPicture.plain(PixelSize(width: 9, height: 9), [1, 2, 3, 255])
        let error = #expect(throws: WebImageError.self) {
            try picture.convolved(with: kernel, cancellation: flag)
        }
        #expect(error?.code == .cancelled)
    }
}
