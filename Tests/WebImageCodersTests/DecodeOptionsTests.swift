import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Decode options")
struct DecodeOptionsTests {
    static let names = ["photo.jpg", "photo-progressive.jpg", "translucent.png", "animated.webp", "animated.gif"]
    static let animations = ["animated.gif", "animated.png", "animated.webp"]

    private enum Shade: ImageDecodeOptions.Key { typealias Value = Int }
    private enum Name: ImageDecodeOptions.Key { typealias Value = String }

    @Test("DOP-1 MET-3 OPT-19 a decode of the first frame only gives a still picture", arguments: animations)
    func firstFrame(name: String) throws {
        let data = try Fixtures.data(name)
        let animation = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        var options = ImageDecodeOptions()
        options.decodesFirstFrameOnly = true
        let still = try ImageCodersManager.shared.decode(data, options: options)
        #expect(animation.isAnimated && animation.metadata.frameCount > 1)
        #expect(!still.isAnimated && still.animation == nil)
        #expect(still.metadata.frameCount == 1 && still.metadata.loopCount == 0)
        #expect(still.bitmap.bytes == animation.bitmap.bytes)
    }

    @Test("A76 a picture has the options of its decode, and retains nothing of its request", arguments: names)
    func remembered(name: String) throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 9, height: 9)
        options[Shade.self] = 7
        weak var flag: CancellationFlag?
        let image: Image
        do {
            let cancellation = CancellationFlag()
            flag = cancellation
            var interruptible = options
            interruptible.cancellation = cancellation
            image = try ImageCodersManager.shared.decode(Fixtures.data(name), options: interruptible)
        }
        #expect(image.decodeOptions == options)
        #expect(image.decodeOptions?[Shade.self] == 7)
        #expect(flag == nil)
    }

    @Test("options are equal if they make the same pixels: an app's values count, a cancellation does not")
    func equality() {
        var first = ImageDecodeOptions()
        var second = ImageDecodeOptions()
        first.cancellation = CancellationFlag()
        #expect(first == second && first.hashValue == second.hashValue)
        first[Shade.self] = 1
        #expect(first != second)
        second[Shade.self] = 1
        #expect(first == second && first.hashValue == second.hashValue)
        second[Name.self] = "dark"
        #expect(first != second && second[Name.self] == "dark" && second[Shade.self] == 1)
        second[Name.self] = nil
        #expect(first == second)
        second.scaleDownLimitBytes = 4
        #expect(first != second)
    }
}
