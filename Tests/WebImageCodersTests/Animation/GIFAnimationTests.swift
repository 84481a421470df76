import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("GIF animations")
struct GIFAnimationTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]

    /// A red frame of 2 × 1, then a green pixel on its right with `disposal`, then a blue one on its left.
    private func file(disposal: UInt8) -> Data {
        var builder = GIFBuilder(width: 2, height: 1)
        builder.appendControl(hundredths: 7)
        builder.appendFrame(width: 2, height: 1, indices: [1, 1])
        builder.appendControl(hundredths: 0, disposal: disposal)
        builder.appendFrame(left: 1, width: 1, height: 1, indices: [2])
        builder.appendControl(hundredths: 3)
        builder.appendFrame(width: 1, height: 1, indices: [3])
        builder.appendTrailer()
        return builder.data
    }

    @Test("BCO-9 S4-4 all frames come with the picture, and each one's disposal follows the file")
    func disposal() throws {
        let rights: [UInt8: [UInt8]] = [0: Self.green, 1: Self.green, 2: [0, 0, 0, 0], 3: Self.red]
        for (disposal, right) in rights {
            let image = try GIFCoder().decode(file(disposal: disposal), options: .storedPixels)
            let animation = try #require(image.animation)
            #expect(image.metadata.frameCount == 3 && animation.frameCount == 3)
            #expect(image.bitmap.pixel(1, 0) == Self.red)
            #expect(try animation.frame(at: 1).pixel(1, 0) == Self.green)
            #expect(try animation.frame(at: 2).pixel(0, 0) == Self.blue)
            #expect(try animation.frame(at: 2).pixel(1, 0) == right, "disposal \(disposal)")
            #expect((0..<3).map(animation.duration) == [70, 100, 30].map { .milliseconds($0) })
            #expect(animation.animatedImageData == file(disposal: disposal))
        }
    }

    @Test(
        "BCO-4 without a loop block an animation plays once; the block says how often it is repeated, 0 for ever",
        arguments: [(nil, 1), (0, 0), (1, 2), (7, 8)] as [(Int?, Int)])
    func loops(count: Int?, plays: Int) throws {
        var builder = GIFBuilder(width: 1, height: 1)
        if let count { builder.appendLoop(count) }
        for _ in 0..<2 { builder.appendFrame(width: 1, height: 1, indices: [1]) }
        builder.appendTrailer()
        let image = try GIFCoder().decode(builder.data, options: .storedPixels)
        #expect(image.metadata.loopCount == plays)
        #expect(image.animation?.loopCount == plays)
    }

    @Test("S4-4 a request for the first frame gives no animation, and neither does a file of one frame")
    func firstFrameOnly() throws {
        var options = ImageDecodeOptions.storedPixels
        options.decodesFirstFrameOnly = true
        let still = try GIFCoder().decode(file(disposal: 0), options: options)
        #expect(still.animation == nil && !still.isAnimated)
        let animated = try GIFCoder().decode(file(disposal: 0), options: .storedPixels)
        #expect(still.bitmap.bytes == animated.bitmap.bytes)
        #expect(try !GIFCoder().decode(Fixtures.data("palette.gif"), options: .storedPixels).isAnimated)
        #expect(try GIFCoder().makeAnimation(of: Fixtures.data("palette.gif"), options: options).frameCount == 1)
    }

    @Test("a damaged frame is an error of that frame")
    func damagedFrame() throws {
        var builder = GIFBuilder(width: 2, height: 1)
        builder.appendFrame(width: 2, height: 1, indices: [1, 1])
        builder.appendFrame(width: 2, height: 1, indices: [2])
        builder.appendFrame(left: 1, width: 1, height: 1, indices: [3])
        builder.appendTrailer()
        let animation = try GIFCoder().makeAnimation(of: builder.data, options: .storedPixels)
        let error = #expect(throws: WebImageError.self) { try animation.frame(at: 1) }
        #expect(error?.code == .badImageData)
        #expect(try animation.frame(at: 2).bytes == Self.red + Self.blue)
    }

    @Test("a cut animation is an error as a whole, and gives its whole frames in pieces")
    func truncated() throws {
        let data = try Fixtures.data("animated.gif")
        let cut = data.prefix(data.count - 30)
        #expect(throws: WebImageError.self) { try GIFCoder().makeAnimation(of: cut, options: .storedPixels) }
        let decoder = GIFCoder().makeProgressiveDecoder(options: .storedPixels)
        let partial = try #require(try decoder.update(cut))
        #expect(partial.metadata.frameCount == 2)
        let whole = try GIFCoder().makeAnimation(of: data, options: .storedPixels)
        #expect(try partial.animation?.frame(at: 1).bytes == whole.frame(at: 1).bytes)
    }

    @Test(
        "COD-2 BCO-11 the rows of the first frame are shown as they arrive",
        arguments: ["palette.gif", "palette-interlaced.gif"])
    func firstRows(name: String) throws {
        let data = try Fixtures.data(name)
        let whole = try GIFCoder().decode(data, options: .storedPixels).bitmap
        let decoder = GIFCoder().makeProgressiveDecoder(options: .storedPixels)
        var partials: [Image] = []
        for start in stride(from: 0, to: data.count, by: 400) {
            if let image = try decoder.update(data[start..<min(start + 400, data.count)]) { partials.append(image) }
        }
        #expect(partials.count > 3)
        #expect(partials.allSatisfy { $0.metadata.isIncremental && $0.pixelSize == whole.size })
        let first = try #require(partials.first?.bitmap)
        #expect(first.pixel(0, 0) == whole.pixel(0, 0))
        // Rows that have not arrived are transparent, or in an interlaced picture equal to those above.
        let last = first.pixel(5, whole.size.height - 1)
        #expect(name == "palette.gif" ? last == [0, 0, 0, 0] : last[3] == 255)
        #expect(partials.last?.bitmap.bytes == whole.bytes)
    }

    @Test(
        "mutated animations never crash, and frames are whole or an error",
        arguments: ["animated.gif", "animated.png", "animated.webp"])
    func mutations(name: String) throws {
        let data = try Fixtures.data(name)
        var mutator = FileMutator(seed: 5)
        var options = ImageDecodeOptions.storedPixels
        options.limits.maximumPixelCount = 1 << 20
        options.limits.maximumSourcePixelCount = 1 << 20
        for _ in 0..<300 {
            let plain = mutator.mutate(data)
            let file = name == "animated.png" ? PNGBuilder.repairingCheckSums(plain) : plain
            let decoder = ImageCodersManager.shared.makeProgressiveDecoder(options: options)
            _ = try? decoder.update(file.prefix(file.count / 2))
            if let grown = try? decoder.update(file.dropFirst(file.count / 2)) { Self.play(grown) }
            guard let image = try? ImageCodersManager.shared.decode(file, options: options) else { continue }
            Self.play(image)
        }
    }

    private static func play(_ image: Image) {
        guard let animation = image.animation else { return }
        for index in (0..<animation.frameCount).prefix(20) {
            guard let bitmap = try? animation.frame(at: index) else { continue }
            #expect(bitmap.size == image.pixelSize)
        }
    }
}
