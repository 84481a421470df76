import FoundationEssentials
import Testing
import WebImage

@testable import webimage_gallery

@Suite struct DrawnAnimationTests {
    @Test("each animation is a file of its format, with all of its frames, which differ", arguments: DrawnAnimation.all)
    func file(animation: DrawnAnimation) throws {
        let size = PixelSize(width: 32, height: 24)
        let file = try #require(animation.file(size: size))
        #expect(ImageFormat(sniffing: file) == animation.format)
        let decoded = try ImageCodersManager.shared.makeAnimation(of: file, options: ImageDecodeOptions())
        #expect(decoded.frameCount == animation.frameCount)
        #expect(decoded.loopCount == 0)
        let frames = try (0..<decoded.frameCount).map { try decoded.frame(at: $0).withUnsafeBytes { Array($0) } }
        #expect(Set(frames).count > animation.frameCount / 3)
        let durations = Set((0..<decoded.frameCount).map { decoded.duration(at: $0) })
        // GIF counts in hundredths of a second.
        #expect(durations.allSatisfy { abs(($0 - animation.duration) / .milliseconds(1)) < 5 })
    }

    @Test("there is an animation of each format, under an address of its own")
    func formats() {
        #expect(Set(DrawnAnimation.all.map(\.format)) == [.gif, .png, .webP])
        #expect(Set(DrawnAnimation.all.map(\.path)).count == DrawnAnimation.all.count)
        #expect(DrawnAnimation.all.first?.path == "/animations/pendulum.gif")
    }

    @Test("of sources, the page has those pictures whose names say that they may move, under their names")
    func sources() throws {
        let names = ["a.jpg", "b.GIF", "c.png", "page", "d.mp4", "e.svg"]
        let pictures = names.enumerated().map {
            GalleryItem(url: URL(filePath: "/\($0)"), number: $0, title: $1)
        }
        let items = AnimatedItems.items(of: pictures)
        #expect(items.map(\.name) == ["b.GIF", "c.png", "d.mp4"])
        #expect(items.map(\.number) == [0, 1, 2])
        #expect(items.allSatisfy { $0.playback != nil })
    }

    @Test("the page has each animation once, and then several views of one address, in step and free")
    func items() throws {
        let urls = try DrawnAnimation.all.map { try #require(URL(string: "http://host\($0.path)")) }
        let items = AnimatedItems.items(of: urls)
        #expect(items.prefix(urls.count).map(\.url) == urls)
        let several = items.dropFirst(urls.count).prefix(4)
        #expect(several.allSatisfy { $0.url == urls[0] })
        #expect(several.map { $0.playback?.settings.isInStep } == [true, true, true, false])
        #expect(several.first?.name == "In step · pendulum.gif")
        #expect(items.map(\.number) == Array(items.indices))
        #expect(items.allSatisfy { $0.playback != nil })
    }
}
