import Testing
import WebImageCore
import WebImagePixels
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImagePresentation
@testable import WebImageTestDoubles

@Suite("Colours of frames for views")
@MainActor
struct DisplayedColorTests {
    @Test(
        "a player of a view brings frames to sRGB, after the app's own transformer",
        arguments: [ColorSpace.displayP3, .bt2100PQ], [true, false])
    func conversion(colorSpace: ColorSpace, hasTransformer: Bool) throws {
        let frame = try WidePicture.bitmap([200, 100, 50], .rgba8Premultiplied, colorSpace: colorSpace)
        let frames = (0..<2).map { _ in ImageFrame(bitmap: frame, duration: .milliseconds(100)) }
        var settings = PlaybackSettings()
        settings.isInStep = false
        if hasTransformer { settings.animationTransformer = BuiltInTransformer.flip(horizontal: true, vertical: false) }
        let image = try #require(Image(frames: frames, loopCount: 0))
        let player = try #require(
            ViewPlayers.player(of: image, settings: settings, clock: ManualAnimationClock()))
        let shown = try #require(player.transformer?.transform(Image(bitmap: frame), for: "a")).bitmap
        #expect(try shown.colorSpace == .sRGB && shown.bytes == frame.converted(to: .rgba8Premultiplied).bytes)
    }

    @Test("frames in sRGB are shown as they are")
    func plain() throws {
        let frame = try WidePicture.bitmap([200, 100, 50], .rgba8Premultiplied, colorSpace: .sRGB)
        let frames = (0..<2).map { _ in ImageFrame(bitmap: frame, duration: .milliseconds(100)) }
        let image = try #require(Image(frames: frames, loopCount: 0))
        var settings = PlaybackSettings()
        settings.isInStep = false
        let player = try #require(
            ViewPlayers.player(of: image, settings: settings, clock: ManualAnimationClock()))
        #expect(player.transformer == nil)
    }
}
