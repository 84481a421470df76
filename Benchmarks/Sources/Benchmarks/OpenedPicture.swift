import FoundationEssentials
import Glibc
import WebImage

/// The time from the start of the gallery until its window shows a picture of 12 megapixels from a folder of 2,000, against
/// Eye of GNOME.
struct OpenedPicture: Benchmark {
    static let id = "opened-picture"
    static let what = "a photo in a folder of 2,000, from the start to the screen"

    private static let fileCount = 2000
    private static let turns = 7

    func run() async throws -> Measurement {
        guard let gallery = getenv("WEBIMAGE_GALLERY").map({ String(cString: $0) }) else {
            throw BenchmarkError("WEBIMAGE_GALLERY does not name the program to measure")
        }
        let folder = TemporaryDirectory()
        let file = try fill(folder.path)
        setenv("XDG_STATE_HOME", folder.path + "/.state", 1)
        setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1)
        // The renderer is the program's own choice.
        let times = try FrameProgram.run("opening \(Self.turns) '\(file)' '\(gallery)' eog", renderer: nil)
        return Measurement(
            id: Self.id, what: Self.what, ours: times[0], unit: "ms", rival: "Eye of GNOME", rivalValue: times[1],
            ratio: times[0] / times[1], goal: 1.1)
    }

    /// - Returns: The path of the photo in the middle.
    private func fill(_ folder: String) throws -> String {
        let small = try SamplePhoto(size: PixelSize(width: 400, height: 300)).jpeg()
        for number in 0..<Self.fileCount { try small.write(to: URL(filePath: "\(folder)/\(number).jpg")) }
        let path = "\(folder)/\(Self.fileCount / 2).jpg"
        try marked().write(to: URL(filePath: path))
        return path
    }

    /// With a red patch in its middle.
    private func marked() throws -> Data {
        let size = SamplePhoto.twelveMegapixels.size
        let bitmap = try SamplePhoto.twelveMegapixels.bitmap()
        var pixels = bitmap.withUnsafeBytes { Array($0) }
        for y in size.height * 2 / 5..<size.height * 3 / 5 {
            for x in size.width * 2 / 5..<size.width * 3 / 5 {
                pixels.replaceSubrange((y * size.width + x) * 4..<(y * size.width + x) * 4 + 3, with: [255, 0, 0])
            }
        }
        var options = ImageEncodeOptions()
        options.compressionQuality = 0.87
        let image = Image(bitmap: try Bitmap(size: size, pixels: pixels))
        return try ImageCodersManager.shared.encode(image, to: .jpeg, options: options)
    }
}
