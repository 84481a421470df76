import FoundationEssentials
import WebImageCore
import WebImagePixels

extension PNGCoder {
    /// The parts of a large file; see ``ImageCoder/openRegions(of:limits:in:)``.
    public func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)? {
        try PNGRegionFile(file, limits: limits, in: colorSpace)
    }
}

/// A PNG file that is not interlaced: its rows come one after the other, so that a picture of any height is read in bounded
/// memory. It has no regions, since its compressed pixels can be read from the beginning only.
struct PNGRegionFile: RegionImageFile {
    let format = ImageFormat.png
    let colorSpace: ColorSpace
    let baseSide: Int
    let rowReduction: Int
    let orientation: ImageOrientation
    var storedSize: PixelSize { contents.header.size }

    private let file: RandomAccessFile
    private let contents: PNGContents

    /// The most pixels of rows that are kept in a temporary file.
    static let defaultRowPixelCount = 1 << 26

    /// Reads all chunks but the pixels.
    ///
    /// - Returns: nil for an interlaced file.
    init?(
        _ file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace = .sRGB,
        rowPixelCount: Int = PNGRegionFile.defaultRowPixelCount,
        baseSide: Int = ImageDecodeOptions.baseSide
    ) throws(WebImageError) {
        let skeleton = try PNGSkeleton(file)
        contents = try PNGReader.contents(of: skeleton.data, isComplete: true, limits: limits)
        let header = contents.header
        guard !header.isInterlaced else { return nil }
        guard header.size.longestSide <= PNGHeader.maximumSide else {
            throw .unsupported(.png, "a side has more than \(PNGHeader.maximumSide) pixels")
        }
        orientation = contents.orientation
        var reduction = 1
        while header.size.reduced(by: reduction).area > rowPixelCount { reduction *= 2 }
        rowReduction = reduction
        self.baseSide = baseSide
        self.colorSpace = colorSpace
        self.file = file
    }

    func readRows(
        reducedBy reduction: Int, into receiver: any PixelRowReceiver, cancellation: CancellationFlag
    ) throws(WebImageError) {
        var options = ImageDecodeOptions.forRows(in: colorSpace, cancellation: cancellation)
        options.rowReceiver = try ReducedRows(storedSize, reduction: reduction, next: receiver)
        let pixels = PNGPixels(
            contents, geometry: ThumbnailGeometry(storedSourceSize: storedSize, orientation: .up, options: options),
            options: options)
        let bytesPerRow = pixels.assembler.sourceBytesPerRow
        let decompressor = try PNGPushDecompressor(isDeep: pixels.isDeep)
        _ = try pixels.assembler.assembleRows { rows throws(WebImageError) in
            var offset = 0
            while rows.remaining > 0 {
                let bytes = try file.bytes(at: offset, count: 1 << 16)
                guard !bytes.isEmpty else { throw .truncated(.png) }
                offset += bytes.count
                try bytes.span.bytes.withUnsafeBytes { bytes throws(WebImageError) in
                    try decompressor.append(bytes) { _, pixels throws(WebImageError) in
                        try rows.withNext { $0.update(from: pixels, count: bytesPerRow) }
                    }
                }
            }
        }
    }
}
