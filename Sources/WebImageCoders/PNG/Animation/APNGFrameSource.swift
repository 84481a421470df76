import CDeflate
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// The frames of an animated PNG, each decoded as a separate picture.
struct APNGFrameSource: FrameSource {
    private let contents: APNGContents
    let frames: [FrameDescription]
    let colors: SourceColors?

    init(_ contents: APNGContents) {
        self.contents = contents
        frames = contents.frames.map(\.description)
        // Inflates a profile once instead of for each frame.
        colors = contents.picture.resolvedColors
    }

    /// Memory that is reused for each frame.
    struct Workspace {
        fileprivate var scratch = FrameScratch()
        fileprivate var file = PNGFileWriter()
    }

    var canvasSize: PixelSize { contents.picture.header.size }
    var orientation: ImageOrientation { contents.picture.orientation }

    func makeWorkspace() -> Workspace { Workspace() }

    func draw(
        _ index: Int, on canvas: AnimationCanvas, leavesNoPart: Bool, with workspace: inout Workspace,
        options: ImageDecodeOptions
    ) throws(WebImageError) {
        let frame = contents.frames[index]
        try workspace.file.write(frame, of: contents)
        let file = workspace.file.bytes
        var header = contents.picture.header
        header.size = frame.description.size
        let pixels = PNGFramePixels(header: header)
        try workspace.scratch.draw(frame.description, on: canvas, leavesNoPart: leavesNoPart) {
            base, bytesPerRow throws(WebImageError) in
            try pixels.decode(file, into: base, bytesPerRow: bytesPerRow, options: options)
        }
    }
}

/// Decodes a small PNG file into existing memory.
private struct PNGFramePixels {
    let header: PNGHeader

    func decode(
        _ file: [UInt8], into base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, options: ImageDecodeOptions
    ) throws(WebImageError) {
        try file.span.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            // In half of libpng's time. A large frame is never inflated as a whole beside its pixels.
            if let rows = PNGInflatedRows(bytes, header: header, forThumbnail: true) {
                for y in 0..<header.size.height {
                    try options.checkCancellation()
                    rows.readRow(into: base + y * bytesPerRow)
                }
            } else {
                try decodeByLibpng(bytes, into: base, bytesPerRow: bytesPerRow, options: options)
            }
        }
    }

    private func decodeByLibpng(
        _ bytes: UnsafeRawBufferPointer, into base: UnsafeMutablePointer<UInt8>, bytesPerRow: Int,
        options: ImageDecodeOptions
    ) throws(WebImageError) {
        let decompressor = try PNGDecompressor(bytes)
        try decompressor.start(isDeep: false, expecting: header.size)
        if header.isInterlaced {
            try decompressor.readPasses(into: base, bytesPerRow: bytesPerRow, height: header.size.height) {
                () throws(WebImageError) in try options.checkCancellation()
            }
        } else {
            for y in 0..<header.size.height {
                try options.checkCancellation()
                try decompressor.readRow(into: base + y * bytesPerRow)
            }
        }
        try decompressor.finish()
    }
}

/// Writes frames of an animation as separate files, from the shared chunks and the frame's compressed pixels.
private struct PNGFileWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ frame: APNGFrame, of contents: APNGContents) throws(WebImageError) {
        bytes.removeAll(keepingCapacity: true)
        bytes += PNGReader.signature
        append("IHDR", header(contents.picture.header, size: frame.description.size))
        if let palette = contents.palette { append("PLTE", palette) }
        if let transparency = contents.transparency { append("tRNS", transparency) }
        for chunk in frame.chunks {
            if chunk.isFrameData {
                // The checksum covers the chunk in the original file; the chunk to decode gets its own.
                guard PNGChunk.checkSum(of: "fdAT", chunk.content) == chunk.checkSum else {
                    throw .damaged(.png, "the check sum of a frame's data is wrong")
                }
                append("IDAT", chunk.content.dropFirst(4))
            } else {
                append("IDAT", chunk.content, checkSum: chunk.checkSum)
            }
        }
        append("IEND", Data())
    }

    private mutating func append(_ type: StaticString, _ content: Data, checkSum: UInt32? = nil) {
        PNGChunk.append(type, content, checkSum: checkSum, to: &bytes)
    }

    private func header(_ header: PNGHeader, size: PixelSize) -> Data {
        var content = Data()
        for side in [size.width, size.height] { content.append(contentsOf: PNGChunk.bigEndian(side)) }
        content.append(contentsOf: [
            UInt8(header.bitDepth), header.colorType.rawValue, 0, 0, header.isInterlaced ? 1 : 0,
        ])
        return content
    }
}

/// Serialises chunks: length, type, data, checksum (PNG §5.3).
enum PNGChunk {
    static func append(_ type: StaticString, _ content: Data, checkSum: UInt32? = nil, to bytes: inout [UInt8]) {
        bytes += bigEndian(content.count)
        type.withUTF8Buffer { bytes += $0 }
        content.withUnsafeBytes { bytes += $0 }
        bytes += bigEndian(Int(checkSum ?? self.checkSum(of: type, content)))
    }

    static func checkSum(of type: StaticString, _ content: Data) -> UInt32 {
        let start = type.withUTF8Buffer { libdeflate_crc32(0, $0.baseAddress, $0.count) }
        return content.withUnsafeBytes { libdeflate_crc32(start, $0.baseAddress, $0.count) }
    }

    static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
