import WebImage

/// An operation on the pixels of a picture of twelve megapixels, as this library and its rivals perform it.
protocol PictureOperation: Sendable {
    /// Its name on the command line and in the results, without the number of processors.
    static var id: String { get }
    static var what: String { get }
    /// The required ratio of our time to that of the fastest counted rival.
    static var goal: Double { get }
    static var turns: Int { get }
    static var source: OperationSource { get }
    static var rivals: [OperationRival] { get }
    /// The result in double precision.
    static var reference: OperationReference { get }

    static func ours(_ picture: Bitmap) throws -> Bitmap
}

extension PictureOperation {
    static var turns: Int { 9 }
    static var source: OperationSource { .photo }
}

/// The picture that an operation gets.
enum OperationSource: Sendable {
    /// Opaque, premultiplied.
    case photo
    /// The same with straight alpha that runs from left to right.
    case straight

    func bitmap() throws -> Bitmap { try self == .photo ? Self.photoBitmap.get() : Self.straightBitmap.get() }

    private static let photoBitmap = Result { try SamplePhoto.twelveMegapixels.bitmap() }

    private static let straightBitmap = Result {
        let photo = try photoBitmap.get()
        var pixels = photo.withUnsafeBytes { Array($0) }
        for index in 0..<photo.size.area { pixels[index * 4 + 3] = UInt8(index % photo.size.width / 16) }
        return try Bitmap(size: photo.size, format: .rgba8Straight, pixels: pixels)
    }
}

/// Another library's operation, or the least that a processor can do.
struct OperationRival: Sendable {
    enum Program: Sendable {
        case openCV(String)
        case vips(String)
        case pillow(String)
        /// Copies the bytes of our result: to memory that is used already, or to new one, which is got as that of bitmaps.
        case copy(toNewMemory: Bool)
        /// This library doing something else.
        case ours(@Sendable (Bitmap) throws -> Bitmap)
    }

    let name: String
    let program: Program
    /// Whether the goal is set against it.
    let isCounted: Bool

    init(_ name: String, _ program: Program, isCounted: Bool = true) {
        self.name = name
        self.program = program
        self.isCounted = isCounted
    }

    /// Beside other rivals: what moving the bytes costs.
    static let copies = [
        OperationRival("memcpy to new memory", .copy(toNewMemory: true)),
        OperationRival("memcpy to used memory", .copy(toNewMemory: false), isCounted: false),
    ]

    static func others(_ operation: String, vips: Bool = true, pillow: Bool = true) -> [OperationRival] {
        var rivals = [OperationRival("OpenCV", .openCV(operation), isCounted: false)]
        if vips { rivals.append(OperationRival("libvips", .vips(operation), isCounted: false)) }
        if pillow { rivals.append(OperationRival("Pillow", .pillow(operation), isCounted: false)) }
        return rivals
    }
}
