import FoundationEssentials
import WebImageCore
import WebImagePixels

/// An incomplete JPEG file.
final class IncomingJPEG: IncomingFile {
    /// The way the picture appears.
    private enum Picture {
        /// Unknown: the header is incomplete.
        case unknown
        /// From the top down.
        case rows(JPEGDecodePlan, GrowingPicture)
        /// As a whole, sharper with each scan.
        case scans(JPEGScans)
        /// Only when the file is complete, by another decoder.
        case hidden
    }

    private let decompressor: JPEGDecompressor
    private let options: ImageDecodeOptions
    private var picture = Picture.unknown

    init(options: ImageDecodeOptions) throws(WebImageError) {
        decompressor = try JPEGDecompressor()
        self.options = options
    }

    /// A preview may be ready before the file is complete.
    static func isOfUse(_ options: ImageDecodeOptions) -> Bool { true }

    var isFinished: Bool {
        switch picture {
        case .unknown: false
        case .rows(_, let picture): picture.isComplete
        case .scans(let scans): scans.isFinished
        case .hidden: true
        }
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        try options.forEachSlice(of: newBytes, while: { !isFinished }) { bytes throws(WebImageError) in
            try decompressor.append(bytes)
            try decode()
        }
        return try look()
    }

    private func look() throws(WebImageError) -> Image? {
        switch picture {
        case .unknown, .hidden: nil
        case .rows(let plan, let picture): try picture.look().map { plan.makeImage($0, isIncremental: true) }
        case .scans(let scans): try scans.look(by: decompressor)
        }
    }

    private func decode() throws(WebImageError) {
        if case .unknown = picture { try readHeader() }
        switch picture {
        case .unknown, .hidden: return
        case .rows(_, let picture):
            try picture.addRows { row throws(WebImageError) in try decompressor.read(into: row) }
        case .scans(let scans): try scans.read(decompressor, options)
        }
    }

    private func readHeader() throws(WebImageError) {
        guard let header = try decompressor.readHeader() else { return }
        let plan = try JPEGDecodePlan(header, of: decompressor, options: options)
        guard !header.isArithmetic, options.showsParts || plan.sufficientPrecision != nil && header.hasMultipleScans
        else { return picture = .hidden }
        try decompressor.start()
        picture =
            header.hasMultipleScans
            ? .scans(JPEGScans(plan, showsParts: options.showsParts))
            : .rows(plan, try GrowingPicture(plan.assembler))
    }
}
