import FoundationEssentials
import Glibc
import WebImage
import WebImageCommandLine

/// A PNG for each frame: all of them, or none. Until the end, readers see the files of an earlier run.
struct NumberedPNGWriter: FrameWriter {
    private let names: NumberedNames
    private let rules: OutputRules
    private var written: [UnfinishedFile] = []
    private var named: [String] = []
    private var byteCount = 0

    init(_ names: NumberedNames, _ rules: OutputRules) {
        self.names = names
        self.rules = rules
    }

    mutating func append(_ bitmap: Bitmap, number: Int, time: Int) throws(WebImageError) {
        let output = OutputFile(path: names[number], rules: rules)
        guard !output.isKept else { return }
        let image = Image(bitmap: bitmap)
        let data = try ImageCodersManager.shared.encode(image, to: .png, options: ImageEncodeOptions())
        if let file = try output.begin(data) { written.append(file) }
        byteCount += data.count
    }

    mutating func finish(end: Int) throws(WebImageError) -> Int {
        while let file = written.popLast() {
            guard try file.finish() else { continue }
            named.append(file.path)
        }
        return byteCount
    }

    mutating func discard() {
        for file in written { file.discard() }
        for path in named { unlink(path) }
        (written, named) = ([], [])
    }
}
