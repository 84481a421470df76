import Foundation
import Testing
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTestSupport

@Suite("Files as the frames of an animation")
final class FileSequenceAnimationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sequence-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A file of one colour.
    private func write(_ name: String, _ color: UInt8, side: Int = 4) throws -> URL {
        let pixels = [[UInt8]](repeating: [color, 0, 0, 255], count: side * side).flatMap { $0 }
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels))
        let file = folder.appending(path: name)
        try image.write(to: file, as: .png)
        return file
    }

    private func files(_ count: UInt8 = 3) throws -> [URL] { try (0..<count).map { try write("\($0).png", $0 * 50) } }

    @Test("each file is a frame, read when it is asked for, in any order")
    func frames() throws {
        let files = try files()
        let animation = try FileSequenceAnimation(files, frameDuration: .milliseconds(40), loopCount: 2)
        #expect(animation.frameCount == 3 && animation.loopCount == 2)
        #expect(animation.duration(at: 2) == .milliseconds(40) && animation.duration(at: 3) == .zero)
        for index in [2, 0, 1, 1] {
            #expect(try animation.frame(at: index).pixel(0, 0) == [UInt8(index) * 50, 0, 0, 255])
        }
        let image = try Image(animation: animation)
        #expect(image.metadata.frameCount == 3 && image.metadata.loopCount == 2)
        // It changes on the disk, and so does the frame.
        _ = try write("1.png", 200)
        #expect(try animation.frame(at: 1).pixel(0, 0) == [200, 0, 0, 255])
    }

    @Test("frames have durations of their own, and the size of a thumbnail")
    func options() throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 2, height: 2)
        let durations = [10, -5, 30].map { Duration.milliseconds($0) }
        let animation = try FileSequenceAnimation(try files(), durations: durations, options: options)
        #expect((0..<3).map(animation.duration) == [.milliseconds(10), .zero, .milliseconds(30)])
        #expect(try animation.frame(at: 2).size == PixelSize(width: 2, height: 2))
    }

    @Test("preloaded frames need their files no longer")
    func preload() throws {
        let files = try files()
        let animation = try FileSequenceAnimation(files)
        #expect(!animation.isAllFramesLoaded)
        animation.preloadAllFrames()
        #expect(animation.isAllFramesLoaded)
        for file in files { try FileManager.default.removeItem(at: file) }
        #expect(try animation.frame(at: 2).pixel(0, 0) == [100, 0, 0, 255])
        animation.unloadAllFrames()
        #expect(throws: WebImageError.self) { try animation.frame(at: 2) }
    }

    @Test("no files, and another number of durations, are refused")
    func numbers() throws {
        let none = #expect(throws: WebImageError.self) { try FileSequenceAnimation([]) }
        #expect(none?.code == .invalidOperation)
        let error = #expect(throws: WebImageError.self) {
            try FileSequenceAnimation(try files(), durations: [.zero])
        }
        #expect(error?.reason.contains("3 frames and 1 durations") == true)
    }

    @Test("a file that is missing, damaged or of another size is one failing frame, which names it; others go on")
    func badFiles() throws {
        let missing = folder.appending(path: "missing.png")
        let damaged = folder.appending(path: "damaged.png")
        try Data("no picture".utf8).write(to: damaged)
        let animation = try FileSequenceAnimation(
            [write("a.png", 1), missing, damaged, write("large.png", 2, side: 5), write("b.png", 3)])
        // The first one asked for: the size is that of frame 0, not of this one.
        let other = #expect(throws: WebImageError.self) { try animation.frame(at: 3) }
        #expect(other?.code == .badImageData && other?.url?.lastPathComponent == "large.png")
        #expect(other?.reason.contains("frame 3 is 5×5") == true, "\(String(describing: other))")
        let absent = #expect(throws: WebImageError.self) { try animation.frame(at: 1) }
        #expect(absent?.code == .fileNotFound && absent?.url == missing)
        let broken = #expect(throws: WebImageError.self) { try animation.frame(at: 2) }
        #expect(broken?.code == .badImageData && broken?.url == damaged)
        #expect(try animation.frame(at: 4).pixel(0, 0) == [3, 0, 0, 255])
        for index in [-1, 5] { #expect(throws: WebImageError.self) { try animation.frame(at: index) } }
    }
}
