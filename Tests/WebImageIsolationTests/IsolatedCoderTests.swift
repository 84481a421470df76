import Foundation
import Testing
import WebImageCoders
import WebImageDecoder
import WebImageIsolation
import WebImageTestSupport

@testable import WebImageCore
@testable import WebImageLoading
@testable import WebImageTestDoubles

/// A picture comes out of a worker as it would come out of its coder in this process.
@Suite("Decoding by workers", .timeLimit(.minutes(20)))
struct IsolatedCoderTests {
    /// The kinds that this build has.
    static let kinds = DecoderKind.allCases.filter { $0.coder != nil }

    private static let extensions: [DecoderKind: Set<String>] = [
        .jpeg: ["jpg", "jpeg"], .png: ["png", "apng"], .webP: ["webp"], .gif: ["gif"], .bmp: ["bmp"],
        .ico: ["ico", "cur"], .tiff: ["tif", "tiff"], .heif: ["heic", "heif"], .avif: ["avif"], .jxl: ["jxl"],
        .svg: ["svg"], .pdf: ["pdf"],
    ]

    /// The project's own pictures of a kind, and some of the corpus, where it is there.
    static func files(of kind: DecoderKind, atMost limit: Int = 60) throws -> [(name: String, data: Data)] {
        let fixtures = try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("")).sorted()
        let own = try FuzzSeeds.files() + fixtures.map(Fixtures.path)
        let endings = extensions[kind] ?? []
        var files: [(String, Data)] = []
        for path in own where endings.contains(String(path.split(separator: ".").last ?? "")) {
            files.append((path, try Data(contentsOf: URL(filePath: path))))
        }
        let entries = Corpus.entries.filter {
            // libheif ends this process with some of those.
            !(kind == .heif && $0.path.hasPrefix("hostile/"))
                && kind.recognizes(Corpus.data(at: $0.path).prefix(4096))
        }
        // Evenly over all of them, so that each source of the corpus has its share.
        for index in Set((0..<limit).map { $0 * entries.count / limit }).sorted() where index < entries.count {
            let data = Corpus.data(at: entries[index].path)
            if data.count < 1 << 20 { files.append((entries[index].path, data)) }
        }
        return files
    }

    private static let optionSets: [ImageDecodeOptions] = {
        var thumbnail = ImageDecodeOptions()
        thumbnail.thumbnailPixelSize = PixelSize(width: 24, height: 20)
        thumbnail.scaleFactor = 2
        var stored = ImageDecodeOptions.storedPixels
        stored.decodesFirstFrameOnly = true
        var deep = ImageDecodeOptions()
        deep.pixelFormat = .rgba16Premultiplied
        deep.decodesToHDR = true
        deep.decodesToWideGamut = true
        return [ImageDecodeOptions(), thumbnail, stored, deep].map { limited($0) }
    }()

    static func limited(_ options: ImageDecodeOptions = ImageDecodeOptions()) -> ImageDecodeOptions {
        var options = options
        options.limits.maximumPixelCount = 1 << 22
        return options
    }

    @Test("pictures, thumbnails and deep pictures are equal to the bit, and so are errors", arguments: kinds)
    func stillPictures(kind: DecoderKind) throws {
        let coder = try #require(kind.coder)
        let isolated = IsolatedCoder(kind: kind, source: WorkerThreads())
        for (name, data) in try Self.files(of: kind) {
            for options in Self.optionSets {
                let expected = Result { () throws(WebImageError) in try coder.decode(data, options: options.timed()) }
                let found = Result { () throws(WebImageError) in try isolated.decode(data, options: options) }
                Self.expectSame(found, expected, name)
            }
        }
    }

    @Test("properties are the same, of whole files and of beginnings", arguments: kinds)
    func properties(kind: DecoderKind) throws {
        let coder = try #require(kind.coder)
        let isolated = IsolatedCoder(kind: kind, source: WorkerThreads())
        let options = ImageDecodeOptions()
        for (name, data) in try Self.files(of: kind) {
            for count in [data.count, 0, 20, 400, data.count / 2] where count <= data.count {
                let (head, isComplete) = (data.prefix(count), count == data.count)
                let expected = Result { () throws(WebImageError) in
                    try coder.properties(of: head, isComplete: isComplete, options: options)
                }
                let found = Result { () throws(WebImageError) in
                    try isolated.properties(of: head, isComplete: isComplete, options: options)
                }
                switch (found, expected) {
                case (.success(let found), .success(let expected)): #expect(found == expected, "\(name), \(count)")
                case (.failure(let found), .failure(let expected)): Self.expectSame(found, expected, name)
                default: Issue.record("\(name), \(count): \(found) instead of \(expected)")
                }
            }
        }
    }

    @Test("frames are equal to the bit, in any order, with their durations", arguments: kinds.filter(\.isAnimated))
    func frames(kind: DecoderKind) throws {
        let coder = try #require(kind.coder?.animatedCoder)
        let workers = WorkerThreads()
        let isolated = IsolatedCoder(kind: kind, source: workers)
        for (name, data) in try Self.files(of: kind, atMost: 30) {
            let options = Self.limited()
            guard let expected = try? coder.makeAnimation(of: data, options: options) else { continue }
            let found = try isolated.makeAnimation(of: data, options: options)
            #expect(found.frameCount == expected.frameCount && found.loopCount == expected.loopCount, "\(name)")
            #expect(found.animatedImageData == expected.animatedImageData, "\(name)")
            let last = expected.frameCount - 1
            for index in [0, 1, 2, last, 0, last / 2, -1, last + 1] {
                #expect(found.duration(at: index) == expected.duration(at: index), "\(name), \(index)")
                let one = Result { () throws(WebImageError) in try found.frame(at: index) }
                let other = Result { () throws(WebImageError) in try expected.frame(at: index) }
                Self.expectSame(one, other, "\(name), frame \(index)")
            }
        }
    }

    @Test("a decoded picture has its frames, and they play", arguments: kinds.filter(\.isAnimated))
    func decodedAnimation(kind: DecoderKind) throws {
        let coder = try #require(kind.coder)
        let isolated = IsolatedCoder(kind: kind, source: WorkerThreads())
        for (name, data) in try Self.files(of: kind, atMost: 20) {
            guard let expected = try? coder.decode(data, options: Self.limited()).animation else { continue }
            let found = try #require(try isolated.decode(data, options: Self.limited()).animation, "\(name)")
            #expect(found.frameCount == expected.frameCount && found.loopCount == expected.loopCount, "\(name)")
            #expect(found.workingByteCount == data.count, "\(name)")
            let (one, other) = (try? found.frame(at: 1), try? expected.frame(at: 1))
            #expect(one?.bytes == other?.bytes, "\(name)")
        }
    }

    @Test("parts of arriving files are equal to the bit", arguments: kinds.filter(\.isProgressive))
    func parts(kind: DecoderKind) throws {
        let coder = try #require(kind.coder?.progressiveCoder)
        let isolated = try #require(IsolatedCoder(kind: kind, source: WorkerThreads()).progressiveCoder)
        for (name, data) in try Self.files(of: kind, atMost: 25) {
            #expect(isolated.canDecodeProgressively(data) == coder.canDecodeProgressively(data), "\(name)")
            let expected = coder.makeProgressiveDecoder(options: Self.limited())
            let found = isolated.makeProgressiveDecoder(options: Self.limited())
            var rest = data
            while !rest.isEmpty {
                let piece = rest.prefix(max(64, data.count / 7))
                rest = rest.dropFirst(piece.count)
                let one = Result { () throws(WebImageError) in try found.update(piece) }
                let other = Result { () throws(WebImageError) in try expected.update(piece) }
                Self.expectSame(one, other, name)
                guard let frames = try? one.get()?.animation, let same = try? other.get()?.animation else { continue }
                let last = same.frameCount - 1
                #expect((try? frames.frame(at: last))?.bytes == (try? same.frame(at: last))?.bytes, "\(name)")
            }
        }
    }

    @Test("each kind says of itself what its coder does", arguments: kinds)
    func abilities(kind: DecoderKind) throws {
        let coder = try #require(kind.coder)
        let isolated = IsolatedCoder(kind: kind, source: WorkerThreads())
        #expect((isolated.progressiveCoder != nil) == (coder.progressiveCoder != nil))
        #expect((isolated.animatedCoder != nil) == (coder.animatedCoder != nil))
        // A coder without regions does not read the file, which is damaged.
        let opening = Result { try coder.openRegions(of: RandomAccessFile(Data()), limits: ImageLimits(), in: .sRGB) }
        let readsFile = if case .failure = opening { true } else { false }
        #expect(kind.hasRegions == readsFile)
        for format in ImageFormat.known {
            #expect(isolated.decodesRows(of: format) == coder.decodesRows(of: format), "\(format)")
            #expect(isolated.canDecode(format) == coder.canDecode(format), "\(format)")
            #expect(!isolated.canEncode(format))
        }
        for (name, data) in try DecoderKind.allCases.flatMap({ try Self.files(of: $0, atMost: 20) }) {
            #expect(isolated.canDecode(data) == coder.canDecode(data), "\(name)")
            #expect(isolated.canDecode(data.prefix(33)) == coder.canDecode(data.prefix(33)), "\(name)")
        }
        #expect(isolated.canDecode(Data([0x1F, 0x8B, 8])) == coder.canDecode(Data([0x1F, 0x8B, 8])))
    }

    @Test("documents are drawn beside the other pictures, since small files may take long")
    func documents() throws {
        let workers = WorkerThreads()
        let svg = Data("<svg xmlns='http://www.w3.org/2000/svg' width='2' height='2'/>".utf8)
        #expect(IsolatedCoder(kind: .svg, source: workers).isUninterruptible(for: svg))
        #expect(!IsolatedCoder(kind: .svg, source: workers).isUninterruptible(for: Data("GIF89a".utf8)))
        #expect(!IsolatedCoder(kind: .gif, source: workers).isUninterruptible(for: Data("GIF89a".utf8)))
    }
}

// MARK: - Comparing

extension IsolatedCoderTests {
    static func expectSame(
        _ found: Result<Image, WebImageError>, _ expected: Result<Image, WebImageError>, _ name: String
    ) {
        expectSame(found.map(Optional.some), expected.map(Optional.some), name)
    }

    static func expectSame(
        _ found: Result<Image?, WebImageError>, _ expected: Result<Image?, WebImageError>, _ name: String
    ) {
        switch (found, expected) {
        case (.success(nil), .success(nil)): break
        case (.success(let found?), .success(let expected?)): expectSame(found, expected, name)
        case (.failure(let found), .failure(let expected)): expectSame(found, expected, name)
        default: Issue.record("\(name): \(found) instead of \(expected)")
        }
    }

    private static func expectSame(
        _ found: Result<Bitmap, WebImageError>, _ expected: Result<Bitmap, WebImageError>, _ name: String
    ) {
        switch (found, expected) {
        case (.success(let found), .success(let expected)): expectSame(found, expected, name)
        case (.failure(let found), .failure(let expected)): expectSame(found, expected, name)
        default: Issue.record("\(name): \(found) instead of \(expected)")
        }
    }

    private static func expectSame(_ found: Image, _ expected: Image, _ name: String) {
        expectSame(found.bitmap, expected.bitmap, name)
        #expect(found.metadata == expected.metadata, "\(name)")
        #expect(found.scale == expected.scale && found.decodeOptions == expected.decodeOptions, "\(name)")
        #expect(found.isAnimated == expected.isAnimated, "\(name)")
        #expect((found.animation == nil) == (expected.animation == nil), "\(name)")
    }

    static func expectSame(_ found: Bitmap, _ expected: Bitmap, _ name: String) {
        #expect(found.size == expected.size && found.format == expected.format, "\(name)")
        #expect(found.colorSpace == expected.colorSpace && found.isOpaque == expected.isOpaque, "\(name)")
        #expect(found.bytes == expected.bytes, "\(name): the pixels differ")
    }

    static func expectSame(_ found: WebImageError, _ expected: WebImageError, _ name: String) {
        #expect(found.code == expected.code && found.kind == expected.kind, "\(name): \(found)")
        #expect(found.reason == expected.reason && found.stage == expected.stage, "\(name)")
        #expect(found.isOfFrameCount == expected.isOfFrameCount, "\(name)")
    }
}
