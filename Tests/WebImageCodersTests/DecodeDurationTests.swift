import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore

@testable import WebImageTestDoubles

@Suite("The time limit of a decode")
struct DecodeDurationTests {
    private static let exhausted: ImageDecodeOptions = {
        var options = ImageDecodeOptions()
        options.limits.maximumDecodeDuration = .seconds(-1)
        return options
    }()

    @Test(
        "a decode that takes too long ends, with the limit's name",
        arguments: ["photo.jpg", "photo-progressive.jpg", "translucent.png", "palette.gif", "lossy.webp"])
    func still(name: String) throws {
        let data = try Fixtures.data(name)
        let error = #expect(throws: WebImageError.self) {
            try ImageCodersManager.shared.decode(data, options: Self.exhausted)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.kind == .policy)
        #expect(error?.reason.contains("maximumDecodeDuration") == true)
    }

    @Test("a decode of a file in pieces that takes too long ends as well")
    func pieces() throws {
        let data = try Fixtures.data("photo.jpg")
        let decoder = ImageCodersManager.shared.makeProgressiveDecoder(options: Self.exhausted)
        let error = #expect(throws: WebImageError.self) {
            for start in stride(from: 0, to: data.count, by: 1000) {
                _ = try decoder.update(data.dropFirst(start).prefix(1000))
            }
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test("an animation whose frames take too long to find ends as well")
    func animation() throws {
        let manager = ImageCodersManager(coders: [LookingCoder()])
        let error = #expect(throws: WebImageError.self) {
            try manager.makeAnimation(of: Data([1]), options: Self.exhausted)
        }
        #expect(error?.code == .limitExceeded)
        let animation = try manager.makeAnimation(of: Data([1]), options: ImageDecodeOptions())
        #expect(animation.frameCount == 1)
    }

    /// Checks its time limit once.
    private struct LookingCoder: AnimatedImageCoder {
        func canDecode(_ data: Data) -> Bool { true }

        func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }

        func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
            try options.checkCancellation()
            return Image(bitmap: try Bitmap(size: .square(1), pixels: [0, 0, 0, 255]))
        }

        func makeAnimation(
            of data: Data, options: ImageDecodeOptions
        ) throws(WebImageError) -> any AnimatedImageProvider {
            let bitmap = try decode(data, options: options).bitmap
            return FrameListAnimation([ImageFrame(bitmap: bitmap, duration: .zero)], loopCount: 0)
        }
    }

    @Test("stored options have neither time limit nor interruption")
    func later() throws {
        var options = Self.exhausted.timed()
        options.cancellation = CancellationFlag()
        #expect(throws: WebImageError.self) { try options.checkCancellation() }
        try options.uninterrupted.checkCancellation()
        #expect(options.uninterrupted == options)
        #expect(options.uninterrupted.cancellation == nil)
    }
}
