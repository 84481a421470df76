import FoundationEssentials
import Glibc
import WebImage
import WebImageCommandLine

/// A PNG for each frame.
struct NumberedPNGWriter: FrameWriter {
    private let names: NumberedNames
    private var written: [String] = []
    private var byteCount = 0

    init(_ names: NumberedNames) { self.names = names }

    mutating func append(_ bitmap: Bitmap, number: Int, time: Int) throws(WebImageError) {
        let image = Image(bitmap: bitmap)
        let data = try ImageCodersManager.shared.encode(image, to: .png, options: ImageEncodeOptions())
        try OutputFile(path: names[number]).write(data)
        written.append(names[number])
        byteCount += data.count
    }

    func finish(end: Int) -> Int { byteCount }

    mutating func discard() {
        for path in written { unlink(path) }
        written = []
    }
}
