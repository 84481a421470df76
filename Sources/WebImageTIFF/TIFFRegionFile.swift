import CTIFF
import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

extension TIFFCoder {
    /// The parts of a large file; see ``ImageCoder/openRegions(of:limits:in:)``.
    public func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)? {
        try TIFFRegionFile(file, limits: limits, in: colorSpace)
    }
}

/// The first page of a TIFF file whose tiles or strips are small enough to be decoded by themselves.
package struct TIFFRegionFile: RegionImageFile {
    package let format = ImageFormat.tiff
    package let storedSize: PixelSize
    package let orientation: ImageOrientation
    package let rowReduction: Int
    package let colorSpace: ColorSpace
    package let baseSide: Int
    package let decodesWholeRows: Bool

    private let file: RandomAccessFile
    private let limits: ImageLimits

    /// The most bytes of a block, and the most pixels of rows that are kept in a temporary file.
    private static let largestBlock = 32 << 20
    package static let defaultRowPixelCount = 1 << 26

    /// Reads the directory.
    ///
    /// - Returns: nil for a picture in one large piece.
    package init?(
        _ file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace = .sRGB,
        rowPixelCount: Int = TIFFRegionFile.defaultRowPixelCount,
        baseSide: Int = ImageDecodeOptions.baseSide
    ) throws(WebImageError) {
        let reader = try TIFFReader(file)
        let picture = try TIFFPicture(reader)
        try limits.check(.tiff, source: picture.size)
        let blockByteCount = max(
            Int(clamping: reader.header.block_byte_count),
            PixelSize(width: Int(reader.header.block_width) * 8, height: Int(reader.header.block_height)).area)
        guard blockByteCount <= Self.largestBlock else { return nil }
        storedSize = picture.size
        orientation = picture.orientation
        decodesWholeRows = !reader.header.is_tiled
        var reduction = 1
        while picture.size.reduced(by: reduction).area > rowPixelCount { reduction *= 2 }
        rowReduction = reduction
        self.baseSide = baseSide
        self.colorSpace = colorSpace
        self.file = file
        self.limits = limits
    }

    package func readRows(
        reducedBy reduction: Int, into receiver: any PixelRowReceiver, cancellation: CancellationFlag
    ) throws(WebImageError) {
        var options = ImageDecodeOptions.forRows(in: colorSpace, cancellation: cancellation)
        options.limits = limits
        options.rowReceiver = try ReducedRows(storedSize, reduction: reduction, next: receiver)
        let reader = try TIFFReader(file)
        let geometry = ThumbnailGeometry(storedSourceSize: storedSize, orientation: .up, options: options)
        _ = try TIFFCoder().decode(try TIFFPicture(reader), with: reader, geometry: geometry, options: options)
    }

    /// True: the directory is the index.
    package func prepareRegions(
        kept: Data?, cancellation: CancellationFlag, progress: @Sendable () -> Void
    ) throws(WebImageError) -> Bool { true }

    package func isReady(_ region: PixelRegion, reduction: Int) -> Bool { true }

    package func decode(
        _ regions: [PixelRegion], reduction: Int, cancellation: CancellationFlag, each: (Int, Bitmap) -> Void
    ) throws(WebImageError) {
        guard let first = regions.first else { return }
        let columns = regions.reduce(first.columns) { columns, region in
            min(columns.lowerBound, region.columns.lowerBound)..<max(columns.upperBound, region.columns.upperBound)
        }
        let whole = PixelRegion(columns: columns, rows: first.rows)
        let full = whole.enlarged(by: reduction).clamped(to: storedSize)
        let splitter = try RegionSplitter(
            band: full.size, regions: regions.map { $0.relative(to: whole) }, reduction: reduction,
            orientation: orientation, colorSpace: colorSpace)
        try decode(full, into: splitter, cancellation)
        for (place, bitmap) in try splitter.finish().enumerated() { each(place, bitmap) }
    }

    private func decode(
        _ region: PixelRegion, into splitter: RegionSplitter, _ cancellation: CancellationFlag
    ) throws(WebImageError) {
        var options = ImageDecodeOptions.forRows(in: colorSpace, cancellation: cancellation)
        options.rowReceiver = splitter
        let reader = try TIFFReader(file)
        let picture = try TIFFPicture(reader)
        guard picture.size == storedSize else { throw .damaged(.tiff, "it has changed since it was opened") }
        let depth = picture.depth(options)
        var source = picture.source(depth, profile: picture.profile)
        source.size = region.size
        let geometry = ThumbnailGeometry(storedSourceSize: region.size, orientation: .up, options: options)
        let blocks = try TIFFBlocks(picture, header: reader.header, depth: depth, columns: region.columns)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        _ = try assembler.assembleRows { rows throws(WebImageError) in
            try blocks.decode(region, reader, into: rows, options: options)
        }
    }
}
