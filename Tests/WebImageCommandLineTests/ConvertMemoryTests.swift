import Foundation
import Testing
import WebImage
import WebImageTestSupport

@testable import WebImageTestDoubles

/// Small files whose frames are large, under the kernel's limit for the data of a process.
@Suite("webimage convert: memory for animations", .timeLimit(.minutes(10)))
struct ConvertMemoryTests {
    /// Megabytes that suffice for a command that converts a picture of one pixel: libraries' data, and the stacks of
    /// threads, of which a machine with more cores has more.
    private func idleMegabytes(for format: String) async throws -> Int {
        let coder = ImageCodersManager.shared
        try coder.encode(Self.frames(1, 1), loopCount: 0, to: .png, options: ImageEncodeOptions())
            .write(to: program.file("pixel.png"))
        for megabytes in stride(from: 100, through: 400, by: 50) {
            let run = try await convert("pixel.png", to: "idle.\(format)", megabytes: megabytes)
            if run.status == 0 { return megabytes }
        }
        throw TestFailure(text: "no picture of one pixel is converted with 400 MB")
    }

    private func convert(_ file: String, to copy: String, megabytes: Int) async throws -> Program.Ending {
        let limit = Sanitizer.isActive ? "" : "ulimit -d \(megabytes << 10); "
        return try await program.run(script: limit + "exec \"$0\" \"$@\"", "convert", file, copy, "--quality", "90")
    }

    private let program: Program

    init() throws { program = try Program() }

    /// Two frames of one colour each.
    private static func frames(_ width: Int, _ height: Int) throws -> [ImageFrame] {
        try [[255, 0, 0, 255], [0, 0, 255, 128]].map { (color: [UInt8]) in
            let size = PixelSize(width: width, height: height)
            let bitmap = try Bitmap(
                size: size, format: .rgba8Straight,
                fill: { base, bytesPerRow in
                    for place in 0..<bytesPerRow * size.height {
                        base.storeBytes(of: color[place & 3], toByteOffset: place, as: UInt8.self)
                    }
                    return color[3] == 255
                })
            return ImageFrame(bitmap: bitmap, duration: .milliseconds(100))
        }
    }

    @Test(
        "an animation of some bytes takes no more than its canvas, two frames and 256 MB, in any format, or is refused",
        arguments: [(100, 50_020), (1000, 1000)], ["gif", "png", "webp", "avif", "jxl"])
    func smallFiles(size: (width: Int, height: Int), format: String) async throws {
        let coder = ImageCodersManager.shared
        let data = try coder.encode(
            Self.frames(size.width, size.height), loopCount: 0, to: .png, options: ImageEncodeOptions())
        #expect(data.count < 1_000_000)
        try data.write(to: program.file("a.png"))
        let megabytes = try await idleMegabytes(for: format) + (size.width * size.height * 4 * 3) >> 20 + 256
        let run = try await convert("a.png", to: "b.\(format)", megabytes: megabytes)
        if run.status == 0 { return #expect(program.files.contains("b.\(format)")) }
        #expect(run.status == 1 && run.errorLines.count == 1, "\(run.errors)")
        #expect(run.errors.contains("MB to encode") || run.errors.contains("16383 a side"), "\(run.errors)")
        // Only what cannot be written within the limit is refused.
        #expect(size.height > 16_383 && !["gif", "png"].contains(format))
    }
}
