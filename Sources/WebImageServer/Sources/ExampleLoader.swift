import FoundationEssentials
import WebImage
import WebImageCore

/// A picture that every server has, so that there is an address which works on any machine.
struct ExampleLoader: ImageLoader {
    static let address = "example:///picture.png"

    func canLoad(_ url: URL) -> Bool { url.absoluteString == Self.address }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        receive(.finished(Result { () throws(WebImageError) in ImageLoadResponse(data: try Self.picture()) }))
        return Ended()
    }

    /// Rings of colour.
    private static func picture() throws(WebImageError) -> Data {
        let size = PixelSize(width: 640, height: 480)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.area * 4)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (dx, dy) = (Double(x - 320), Double(y - 240))
                let ring = (dx * dx + dy * dy).squareRoot() / 40
                let light = 0.5 + 0.5 * abs(2 * (ring - ring.rounded(.down)) - 1)
                func channel(_ share: Double) -> UInt8 { UInt8(min(255, max(0, share * light * 255))) }
                pixels += [channel(Double(x) / 640), channel(0.6), channel(Double(y) / 480), 255]
            }
        }
        let image = Image(bitmap: try Bitmap(size: size, pixels: pixels))
        return try image.data(as: .png)
    }

    private final class Ended: CancellableTask {
        func cancel() {}
        func setPriority(_ priority: LoadPriority) {}
    }
}
