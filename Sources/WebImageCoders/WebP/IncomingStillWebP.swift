import FoundationEssentials
import WebImageCore
import WebImagePixels

/// An incomplete still WebP file, shown from the top down. Belongs to one thread at a time.
final class IncomingStillWebP: IncomingFile {
    private enum Picture {
        /// The chunks before its pixels are incomplete.
        case unknown
        case rows(WebPDecodePlan, WebPPushDecompressor, GrowingPicture)
        /// EXIF data at the end may contain an orientation, so that nothing can be shown before.
        case hidden
    }

    private let options: ImageDecodeOptions
    private var head = IncomingWebPHead()
    private var picture = Picture.unknown
    private var byteCount = 0

    init(options: ImageDecodeOptions) { self.options = options }

    var isFinished: Bool {
        switch picture {
        case .unknown: false
        case .rows(_, _, let picture): picture.isComplete
        case .hidden: true
        }
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        let start = byteCount
        byteCount += newBytes.count
        if case .unknown = picture {
            try begin(newBytes)
        } else {
            try decode(newBytes, from: start)
        }
        guard case .rows(let plan, _, let picture) = picture else { return nil }
        return try picture.look().map { plan.makeImage($0, isIncremental: true) }
    }

    private func begin(_ newBytes: Data) throws(WebImageError) {
        guard let reader = try head.append(newBytes, options: options) else { return }
        guard !reader.mayBeTurned || !options.appliesOrientation else { return picture = .hidden }
        let plan = try WebPDecodePlan(reader.container, options: options)
        picture = .rows(
            plan, try WebPPushDecompressor(plan), try GrowingPicture(plan.assembler))
        let begun = head.bytes
        head = IncomingWebPHead()
        try decode(begun, from: 0)
    }

    /// - Parameter start: The offset of the bytes in the file.
    private func decode(_ bytes: Data, from start: Int) throws(WebImageError) {
        guard case .rows(let plan, let decompressor, let picture) = picture else { return }
        let range = plan.frame.dataRange.clamped(to: start..<start + bytes.count)
        let pixels = range.isEmpty ? Data() : bytes[in: range.lowerBound - start..<range.upperBound - start]
        try options.forEachSlice(of: pixels, while: { !picture.isComplete }) { bytes throws(WebImageError) in
            try decompressor.append(bytes)
            try decompressor.forEachNewRow { row throws(WebImageError) in try picture.addRow(row) }
        }
        if byteCount >= plan.frame.dataRange.upperBound, !picture.isComplete { throw .truncated(.webP) }
    }
}
