import FoundationEssentials
import Glibc
import Synchronization
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCoders
@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Colour profiles")
struct ColorProfileTests {
    private static let colors: [[Double]] = [
        [255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 100, 50], [128, 128, 128], [30, 60, 90],
    ]

    private static func decode(_ name: String, convertsToSRGB: Bool = true) throws -> Bitmap {
        var options = ImageDecodeOptions()
        options.convertsToSRGB = convertsToSRGB
        return try JPEGCoder().decode(Fixtures.data(name), options: options).bitmap
    }

    private static func patches(_ bitmap: Bitmap) -> [[Double]] {
        (0..<6).map { Array(bitmap.mean(x: $0 * 16 + 5..<$0 * 16 + 11, y: 5..<11).dropLast()) }
    }

    /// Display P3 to sRGB by the definition: linear light, the matrix between primaries, sRGB's curve (CSS Color 4).
    private static func sRGB(fromP3 color: [Double]) -> [Double] {
        let matrix = [
            [1.2249401762, -0.2249401762, 0], [-0.0420569547, 1.0420569547, 0],
            [-0.0196375546, -0.0786360456, 1.0982736001],
        ]
        let linear = color.map { value in
            value / 255 <= 0.04045 ? value / 255 / 12.92 : pow((value / 255 + 0.055) / 1.055, 2.4)
        }
        return matrix.map { row in
            let light = min(1, max(0, zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }))
            return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
        }
    }

    private static func largestDifference(_ first: [[Double]], _ second: [[Double]]) -> Double {
        zip(first.joined(), second.joined()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    @Test("Display P3 colours come out as sRGB's definition has them")
    func displayP3() throws {
        let bitmap = try Self.decode("display-p3.jpg")
        #expect(bitmap.colorSpace == .sRGB)
        #expect(Self.largestDifference(Self.patches(bitmap), Self.colors.map(Self.sRGB(fromP3:))) <= 2.5)
    }

    @Test("without conversion the file's own numbers come out")
    func unconverted() throws {
        let bitmap = try Self.decode("display-p3.jpg", convertsToSRGB: false)
        #expect(bitmap.colorSpace == .asStored)
        #expect(Self.largestDifference(Self.patches(bitmap), Self.colors) <= 2)
    }

    @Test(
        "an sRGB profile, whatever its name, and a broken one change nothing",
        arguments: ["srgb-profile.jpg", "broken-profile.jpg"])
    func nothingToConvert(name: String) throws {
        #expect(try Self.decode(name).bytes == Self.decode("no-profile.jpg").bytes)
    }

    @Test("a gray profile is applied to gray pictures")
    func gray() throws {
        let linear = try Self.decode("gray-profile.jpg").pixel(72, 8)
        // Linear 128 of 255 is 188 in sRGB.
        #expect(linear[0] == linear[1] && linear[1] == linear[2] && linear[3] == 255)
        #expect(abs(Int(linear[0]) - 188) <= 2)
    }

    @Test("a gray profile says nothing of a picture with colours")
    func grayOfColors() throws {
        let gray = try Fixtures.data("gray-profile.jpg")
        let start = try #require(gray.firstRange(of: Data([0xFF, 0xE2]))).lowerBound
        let segment = gray[start..<start + 2 + Int(gray[start + 2]) << 8 + Int(gray[start + 3])]
        let photo = try Fixtures.data("no-profile.jpg")
        let image = try JPEGCoder().decode(photo.prefix(2) + segment + photo.dropFirst(2), options: .init())
        #expect(try image.bitmap.bytes == Self.decode("no-profile.jpg").bytes)
    }

    @Test("the profile's name is reported, and a broken profile has none")
    func names() throws {
        func name(_ file: String) throws -> String? {
            try JPEGCoder().properties(of: Fixtures.data(file), isComplete: true)?.iccProfileName
        }
        #expect(try name("display-p3.jpg") == "Display P3 of the fixtures")
        #expect(try name("broken-profile.jpg") == nil)
        #expect(try name("no-profile.jpg") == nil)
    }

    @Test("alpha stays as it is through a conversion, and colours are converted straight", arguments: [8, 3])
    func alpha(width: Int) throws {
        let properties = try JPEGCoder().properties(of: Fixtures.data("display-p3.jpg"), isComplete: true)
        #expect(properties != nil)
        let profile = try #require(try Self.profile(of: Fixtures.data("display-p3.jpg")))
        let size = PixelSize(width: 8, height: 8)
        var options = ImageDecodeOptions()
        options.pixelFormat = .rgba8Straight
        options.thumbnailPixelSize = PixelSize(width: width, height: width)
        let pixels = [UInt8](Array(repeating: [200, 100, 50, 128], count: size.area).joined())
        let bitmap = try Bitmap.assembled(pixels, size: size, profile: profile, options: options)
        let expected = Self.sRGB(fromP3: [200, 100, 50]) + [128]
        #expect(Self.largestDifference([bitmap.pixel(1, 1).map(Double.init)], [expected]) <= 3)
    }

    @Test("a profile of any length and with any damage does no harm")
    func damaged() throws {
        let bytes = try #require(try Self.profile(of: Fixtures.data("display-p3.jpg"))).bytes
        var random = SeededGenerator(seed: 5)
        for count in stride(from: 0, through: bytes.count, by: 7) {
            let cut = ColorProfile(bytes: bytes.prefix(count))
            _ = ColorTransform(profile: cut, layout: .rgba)
            _ = cut.name
        }
        for _ in 0..<300 {
            var damaged = Data(bytes)
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = ColorTransform(profile: ColorProfile(bytes: damaged), layout: .rgba)
            _ = ColorProfile(bytes: damaged).name
        }
    }

    @Test("a profile for other pixels than the picture has is not applied")
    func wrongKind() throws {
        let profile = try #require(try Self.profile(of: Fixtures.data("display-p3.jpg")))
        #expect(Self.transform(profile, .rgba) != nil)
        #expect(Self.transform(profile, .rgba16) != nil)
        #expect(Self.transform(profile, .invertedCMYK) == nil)
    }

    @Test("one transform serves all pictures with the same profile")
    func cached() throws {
        let first = try #require(try Self.profile(of: Fixtures.data("display-p3.jpg")))
        let second = ColorProfile(bytes: Data(Array(first.bytes)))
        #expect(Self.transform(first, .rgba) === Self.transform(second, .rgba))
        #expect(Self.transform(first, .rgba) !== Self.transform(first, .rgba16))
    }

    @Test("a cached transform keeps no file in memory that contained its profile")
    func keptAlone() throws {
        let real = try #require(try Self.profile(of: Fixtures.data("display-p3.jpg"))).bytes
        let isFreed = Atomic(false)
        let count = real.count + 5000
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
        memory.copyMemory(from: Array(real), byteCount: real.count)
        // A number that makes it differ from the profiles of other tests.
        memory.storeBytes(of: 77, toByteOffset: 4, as: UInt8.self)
        do {
            let file = Data(
                bytesNoCopy: memory, count: count,
                deallocator: .custom { memory, _ in
                    memory.deallocate()
                    isFreed.store(true, ordering: .relaxed)
                })
            #expect(Self.transform(ColorProfile(bytes: file.prefix(real.count)), .rgba) != nil)
        }
        let wasFreed = isFreed.load(ordering: .relaxed)
        #expect(wasFreed)
    }

    private static func transform(_ profile: ColorProfile, _ layout: PixelSource.Layout) -> ColorTransform? {
        let conversion = ColorTransformCache.shared.conversion(of: .profile(profile), layout: layout, to: .sRGB)
        guard case .profile(let transform) = conversion else { return nil }
        return transform
    }

    private static func profile(of jpeg: Data) throws -> ColorProfile? {
        try jpeg.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            try JPEGDecompressor(bytes: bytes, isComplete: true).readHeader()?.profile
        }
    }
}
