import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("The list of coders", .timeLimit(.minutes(5)))
struct CodersManagerTests {
    /// A coder of one format with a name.
    private struct Named: ImageCoder {
        let name: UInt8
        let format: ImageFormat

        func canDecode(_ data: Data) -> Bool { data.first == UInt8(truncatingIfNeeded: format.rawValue) }
        func canDecode(_ format: ImageFormat) -> Bool { format == self.format }
        func canEncode(_ format: ImageFormat) -> Bool { format == self.format }
        func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }

        func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
            Image(
                bitmap: try Bitmap(
                    size: PixelSize(width: 1, height: 1), format: .rgba8Straight, pixels: [name, 0, 0, 255]))
        }

        func encode(
            _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
        ) throws(WebImageError) -> Data { Data([name]) }

        func encode(
            _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
        ) throws(WebImageError) -> Data { Data([name, UInt8(frames.count)]) }
    }

    private static let (one, two) = (ImageFormat(rawValue: 2001), ImageFormat(rawValue: 2002))
    private static let file = Data([UInt8(truncatingIfNeeded: 2001)])

    private static func decoder(_ manager: ImageCodersManager) throws -> UInt8? {
        try manager.decode(file, options: ImageDecodeOptions()).bitmap.bytes.first
    }

    @Test("COD-6 it reads and writes all formats of its coders")
    func any() {
        let manager = ImageCodersManager(coders: [Named(name: 1, format: Self.one)])
        #expect(manager.canDecode(Self.one) && manager.canEncode(Self.one) && manager.canDecode(Self.file))
        #expect(!manager.canDecode(Self.two) && !manager.canEncode(Self.two))
        manager.add(Named(name: 2, format: Self.two))
        #expect(manager.canDecode(Self.two) && manager.canEncode(Self.two))
        #expect(manager.canDecode(Self.one) && manager.canEncode(Self.one))
        #expect(!manager.canDecode(Data([0])) && !manager.canDecode(Data()))
    }

    @Test("COD-6 the last coder of a format reads and writes it, for pictures and for frames")
    func order() throws {
        let manager = ImageCodersManager(coders: (1...3).map { Named(name: $0, format: Self.one) })
        manager.add(Named(name: 9, format: Self.two))
        #expect(try Self.decoder(manager) == 3)
        let image = try manager.decode(Self.file, options: ImageDecodeOptions())
        let options = ImageEncodeOptions.best
        #expect(try manager.encode(image, to: Self.one, options: options) == Data([3]))
        #expect(try manager.encode(image, to: Self.two, options: options) == Data([9]))
        let frames = [ImageFrame](repeating: ImageFrame(bitmap: image.bitmap, duration: .milliseconds(100)), count: 4)
        #expect(try manager.encode(frames, loopCount: 0, to: Self.one, options: options) == Data([3, 4]))
    }

    @Test("COD-6 a coder may be listed twice; the list is a copy; removing a type removes all of that type")
    func duplicates() throws {
        let manager = ImageCodersManager(coders: [JPEGCoder()])
        for _ in 0..<2 { manager.add(Named(name: 5, format: Self.one)) }
        var copy = manager.coders
        #expect(copy.count == 3)
        copy.removeAll()
        #expect(manager.coders.count == 3)
        manager.removeAll(ofType: Named.self)
        #expect(manager.coders.count == 1 && manager.coders[0] is JPEGCoder)
        #expect(!manager.canDecode(Self.one))
    }

    @Test("COD-6 the library's coders go by names, and equal names are equal coders")
    func named() throws {
        let files: [(any ImageCoder, String)] = [
            (.jpeg, "photo.jpg"), (.png, "photo-small.png"), (.gif, "palette.gif"), (.webP, "lossy.webp"),
        ]
        for (coder, name) in files {
            let (file, format) = (try Fixtures.data(name), ImageFormat(sniffing: try Fixtures.data(name)))
            #expect(coder.canDecode(file) && coder.canDecode(format) && coder.canEncode(format))
            let image = try coder.decode(file, options: ImageDecodeOptions())
            #expect(try image.bitmap.bytes == Image(data: file).bitmap.bytes)
            #expect(try coder.properties(of: file, isComplete: true)?.pixelSize == image.pixelSize)
            let copy = try coder.encode(image, to: format, options: ImageEncodeOptions())
            #expect(ImageFormat(sniffing: copy) == format)
            #expect(coder.progressiveCoder != nil)
        }
        #expect(CollaboratorIdentity(PNGCoder.png) == CollaboratorIdentity(PNGCoder.png))
        #expect(CollaboratorIdentity(PNGCoder.png) != CollaboratorIdentity(GIFCoder.gif))
        #expect(GIFCoder.gif.animatedCoder != nil && BMPCoder.bmp.animatedCoder == nil)
        #expect(PAMEncoder.pam.canEncode(.pam) && !ICOCoder.ico.canEncode(.ico))
    }

    @Test("COD-6 a coder of the library can be removed by its name, also where it was added by that")
    func removeByName() throws {
        let manager = ImageCodersManager(coders: [GIFCoder(), JPEGCoder()])
        manager.add(.gif)
        manager.remove(.gif)
        #expect(manager.coders.count == 1 && manager.canDecode(.jpeg) && !manager.canDecode(.gif))
    }

    @Test("properties are read within the limits, too")
    func propertyLimits() throws {
        let file = try Fixtures.data("photo-small.png")
        var options = ImageDecodeOptions()
        #expect(try ImageCodersManager.shared.properties(of: file, isComplete: true, options: options) != nil)
        options.limits.maximumByteCount = file.count - 1
        let error = #expect(throws: WebImageError.self) {
            try ImageCodersManager.shared.properties(of: file, isComplete: true, options: options)
        }
        #expect(error?.reason.contains("maximumByteCount") == true)
    }

    @Test("COD-6 threads may add, remove and look up at the same time")
    func threads() async throws {
        let manager = ImageCodersManager(coders: [Named(name: 7, format: Self.one)])
        let answers = await withTaskGroup(of: Set<UInt8>.self) { group in
            for worker in 0..<8 { group.addTask { Self.addRemoveAndAsk(manager, worker) } }
            return await group.reduce(into: Set<UInt8>()) { $0.formUnion($1) }
        }
        manager.removeAll(ofType: PAMEncoder.self)
        #expect(manager.coders.count == 1)
        #expect(answers == [7])
    }

    private static func addRemoveAndAsk(_ manager: ImageCodersManager, _ worker: Int) -> Set<UInt8> {
        var answers: Set<UInt8> = []
        for round in 0..<200 {
            switch (worker + round) % 3 {
            case 0: manager.add(PAMEncoder())
            case 1: manager.removeAll(ofType: PAMEncoder.self)
            default: if let name = try? decoder(manager) { answers.insert(name) }
            }
        }
        return answers
    }
}
