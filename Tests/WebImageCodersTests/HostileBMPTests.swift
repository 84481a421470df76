import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Hostile BMP and ICO files")
struct HostileBMPTests {
    /// A BMP of each kind of pixels, 9 × 5.
    static let kinds: [BMPBuilder] = [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (16, 3), (24, 0), (32, 0), (32, 3)].map {
        bits, compression in
        var file = BMPBuilder(width: 9, height: 5, bitsPerPixel: bits, compression: compression)
        if bits <= 8 { file.palette = (0..<1 << bits).map { [UInt8($0), UInt8($0 / 2), 255] } }
        if compression == 3 { file.masks = bits == 16 ? [0xF800, 0x7E0, 0x1F] : [0xFF, 0xFF00, 0xFF_0000] }
        file.pixels = (0..<(9 * bits + 31) / 32 * 4 * 5).map { UInt8(truncatingIfNeeded: $0 * 37) }
        return file
    }

    private static var runs: Data {
        var file = BMPBuilder(width: 9, height: 5, bitsPerPixel: 8, compression: 1)
        file.palette = (0..<16).map { [$0, $0, $0] }
        file.pixels = [9, 1, 0, 0, 0, 3, 1, 2, 3, 0, 0, 2, 3, 1, 4, 9, 0, 0, 9, 7, 0, 1]
        return file.data
    }

    private static let files = kinds.map(\.data) + [runs, ICOBuilder.several.data]

    @Test("a file that was cut at any point is an error", arguments: kinds.map(\.data) + [runs])
    func truncation(data: Data) {
        // The padding of the last row may be missing.
        for count in 2..<data.count - 4 {
            let error = #expect(throws: WebImageError.self, "\(count) of \(data.count) bytes") {
                try BMPCoder().decode(data.prefix(count), options: ImageDecodeOptions())
            }
            #expect(error?.code == .truncatedImageData)
        }
    }

    @Test("files damaged at random decode or fail, and nothing worse", arguments: files, 1...3)
    func mutations(data: Data, seed: Int) {
        var mutator = FileMutator(seed: UInt64(seed))
        for round in 0..<500 {
            let mutant = mutator.mutate(data)
            var options = round.isMultiple(of: 3) ? ImageDecodeOptions.storedPixels : ImageDecodeOptions()
            if round.isMultiple(of: 2) { options.thumbnailPixelSize = PixelSize(width: 1 + round % 20, height: 4) }
            options.limits.maximumPixelCount = 1 << 16
            options.limits.maximumSourcePixelCount = 1 << 16
            let properties = try? ImageCodersManager.shared.properties(of: mutant, isComplete: round.isMultiple(of: 2))
            guard let image = try? ImageCodersManager.shared.decode(mutant, options: options) else { continue }
            #expect(!image.pixelSize.isEmpty && (properties != nil || !round.isMultiple(of: 2)))
        }
    }

    @Test("cut and damaged files give the same in processes of their own", .needsDecoderProcesses, arguments: files)
    func elsewhere(data: Data) {
        let comparison = ProcessComparison()
        var mutator = FileMutator(seed: 4)
        for round in 0..<20 {
            comparison.check(data.prefix(data.count * round / 20), "\(round) twentieths")
            comparison.check(mutator.mutate(data), "mutant \(round)")
        }
    }

    @Test("a picture whose masks are empty is black, of one bit, in processes of its own, too", .needsDecoderProcesses)
    func emptyMasks() throws {
        var file = Self.kinds[8]
        file.masks = [0, 0, 0]
        let properties = try #require(try BMPCoder().properties(of: file.data, isComplete: true))
        #expect(properties.bitsPerChannel == 1)
        ProcessComparison().check(file.data, "empty masks")
    }

    @Test("sides of two thousand million pixels are refused on the header", arguments: [0, 1])
    func giants(compression: Int) {
        var file = BMPBuilder(width: Int(Int32.max), height: Int(Int32.max), bitsPerPixel: 8, compression: compression)
        file.palette = [[0, 0, 0]]
        for limit in [1 << 30, Int.max] {
            var options = ImageDecodeOptions()
            options.limits.maximumSourcePixelCount = limit
            options.limits.maximumPixelCount = limit
            let error = #expect(throws: WebImageError.self) { try BMPCoder().decode(file.data, options: options) }
            #expect(error?.code == .limitExceeded || limit == .max)
        }
    }

    @Test("a feature that BMP does not have is refused with a reason")
    func nonsense() {
        let wrong: [(String, (inout BMPBuilder) -> Void)] = [
            ("header claims", { $0.headerByteCount = 125 }), ("40 bits", { $0.bitsPerPixel = 40 }),
            ("number 9", { $0.compression = 9 }), ("size is 0", { $0.width = 0 }), ("size is -1", { $0.width = -1 }),
            ("2147483648", { $0.height = -(1 << 31) }), ("70000 colours", { $0.declaredColorCount = 70_000 }),
        ]
        for (reason, change) in wrong {
            var file = Self.kinds[3]
            change(&file)
            let error = #expect(throws: WebImageError.self) {
                try BMPCoder().decode(file.data, options: ImageDecodeOptions())
            }
            #expect(error?.code == .badImageData)
            #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        }
    }

    @Test("a decode without any waiting load stops", arguments: [kinds[6].data, runs])
    func cancellation(data: Data) {
        var options = ImageDecodeOptions()
        options.cancellation = CancellationFlag()
        options.cancellation?.cancel()
        let error = #expect(throws: WebImageError.self) { try BMPCoder().decode(data, options: options) }
        #expect(error?.isCancelled == true)
    }
}
