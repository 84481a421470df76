import FoundationEssentials
import WebImageCore

/// The data that a picture's pixels and its file both contain: address, version, and transformations.
struct SimulatedPicture: Hashable, Sendable, CustomStringConvertible {
    struct Form: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let thumbnail = Form(rawValue: 1)
        static let transformed = Form(rawValue: 2)
        static let partial = Form(rawValue: 4)
    }

    /// The number of its address.
    var address: Int
    /// The number of earlier changes by the server.
    var version: Int
    var form: Form = []

    var description: String {
        let letters = ["a", "b", "c"]
        let marks = [(Form.thumbnail, "t"), (.transformed, "f"), (.partial, "p")]
        return (letters.indices.contains(address) ? letters[address] : "?") + "\(version)"
            + marks.map { form.contains($0.0) ? $0.1 : "" }.joined()
    }

    /// Some versions cannot be decoded.
    var isBroken: Bool { version % 8 == 5 }

    // MARK: As a file

    static let headByteCount = 4
    static let byteCount = 12
    private static let mark = UInt8(ascii: "P")

    var file: Data {
        let head = [isBroken ? 0 : Self.mark, UInt8(address), UInt8(version), form.rawValue]
        return Data(head + [UInt8](repeating: UInt8(version), count: Self.byteCount - head.count))
    }

    /// nil for less than the header, and for other data.
    init?(beginning data: Data) {
        let bytes = [UInt8](data.prefix(Self.headByteCount))
        guard bytes.count == Self.headByteCount, bytes[0] == Self.mark else { return nil }
        self.init(address: Int(bytes[1]), version: Int(bytes[2]), form: Form(rawValue: bytes[3]))
    }

    init(address: Int, version: Int, form: Form = []) {
        self.address = address
        self.version = version
        self.form = form
    }

    // MARK: As pixels

    init(_ image: Image) {
        self = image.bitmap.withUnsafeBytes { bytes in
            SimulatedPicture(address: Int(bytes[0]), version: Int(bytes[1]), form: Form(rawValue: bytes[2]))
        }
    }

    func image() throws(WebImageError) -> Image {
        let width = form.contains(.thumbnail) ? 1 : 2
        let pixel = [UInt8(address), UInt8(version), form.rawValue, 255]
        let bitmap = try Bitmap(
            size: PixelSize(width: width, height: 1), pixels: Array(repeating: pixel, count: width).flatMap { $0 })
        var metadata = ImageMetadata(originalPixelSize: PixelSize(width: 2, height: 1))
        metadata.isThumbnail = form.contains(.thumbnail)
        metadata.isIncremental = form.contains(.partial)
        return Image(bitmap: bitmap, metadata: metadata)
    }
}
