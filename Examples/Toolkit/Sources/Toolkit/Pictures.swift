import Foundation
import WebImage

/// Files of one colour each.
struct Pictures {
    static let greyColor = RGBAColor(red: 128, green: 128, blue: 128)
    static let redColor = RGBAColor(red: 255, green: 0, blue: 0)
    static let blueColor = RGBAColor(red: 0, green: 0, blue: 255)
    static let animationColors = [redColor, blueColor, RGBAColor(red: 0, green: 255, blue: 0)]

    let grey: Image
    let red: URL
    let blue: URL
    /// Of three frames.
    let animation: URL
    let missing: URL

    init(in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        grey = Image(bitmap: try Self.plain(Self.greyColor))
        red = folder.appending(path: "red.png")
        blue = folder.appending(path: "blue.png")
        animation = folder.appending(path: "animation.gif")
        missing = folder.appending(path: "missing.png")
        let coder = ImageCodersManager.shared
        for (url, color) in [(red, Self.redColor), (blue, Self.blueColor)] {
            let image = Image(bitmap: try Self.plain(color))
            try coder.encode(image, to: .png, options: ImageEncodeOptions()).write(to: url)
        }
        let frames = try Self.animationColors.map {
            ImageFrame(bitmap: try Self.plain($0), duration: .milliseconds(50))
        }
        try coder.encode(frames, loopCount: 0, to: .gif, options: ImageEncodeOptions()).write(to: animation)
    }

    private static func plain(_ color: RGBAColor) throws -> Bitmap {
        let pixel = [color.red, color.green, color.blue, 255]
        return try Bitmap(size: PixelSize(width: 60, height: 60), pixels: (0..<3600).flatMap { _ in pixel })
    }
}
