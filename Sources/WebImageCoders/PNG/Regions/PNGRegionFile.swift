import FoundationEssentials
import Synchronization
import WebImageCore
import WebImagePixels

extension PNGCoder: RegionImageCoder {
    package func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)? {
        try PNGRegionFile(file, limits: limits, in: colorSpace)
    }
}

/// A PNG file that is not interlaced. A region costs as much as its rows do from the checkpoint before them on.
final class PNGRegionFile: RegionImageFile {
    let format = ImageFormat.png
    let colorSpace: ColorSpace
    let baseSide: Int
    let rowReduction: Int
    let decodesWholeRows = true
    let orientation: ImageOrientation
    var storedSize: PixelSize { contents.header.size }

    private let file: RandomAccessFile
    private let limits: ImageLimits
    private let contents: PNGContents
    private let stream: PNGPixelStream
    private let strip: PNGStrip
    private let index: Mutex<PNGIndex>

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
        strip = try PNGStrip(header, skeleton.data)
        stream = PNGPixelStream(file, firstChunk: skeleton.firstPixels)
        index = Mutex(PNGIndex(header))
        var reduction = 1
        while header.size.reduced(by: reduction).area > rowPixelCount { reduction *= 2 }
        rowReduction = reduction
        self.baseSide = baseSide
        self.colorSpace = colorSpace
        self.file = file
        self.limits = limits
    }

    // MARK: - Rows

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
                let bytes = try file.checkedBytes(at: offset, count: 1 << 16)
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

    // MARK: - The index

    var keptIndex: Data? {
        let index = index.withLock { $0 }
        return index.readRows == storedSize.height && !index.checkpoints.isEmpty ? index.data : nil
    }

    func prepareRegions(
        kept: Data?, cancellation: CancellationFlag, progress: @Sendable () -> Void
    ) throws(WebImageError) -> Bool {
        if let kept, let found = PNGIndex(kept, of: contents.header, byteCount: file.byteCount) {
            index.withLock { $0 = found }
            return true
        }
        let scan = try PNGScan(stream, header: contents.header)
        guard let row = PixelBuffer(byteCount: scan.rowByteCount) else { throw .outOfMemory(for: storedSize) }
        while scan.row < storedSize.height {
            if cancellation.isCancelled { throw .cancelled() }
            var made = 0
            let stop = try scan.read(into: row.base, capacity: 1, made: &made, stopsAtBlocks: true)
            if case .end = stop, scan.row < storedSize.height { throw .truncated(.png) }
            if case .block = stop, index.withLock({ $0.wants(scan.row) }) {
                let checkpoint = scan.checkpoint()
                index.withLock { index in
                    index.append(checkpoint)
                    index.readRows = scan.row
                }
                progress()
            }
        }
        index.withLock { $0.readRows = storedSize.height }
        return true
    }

    // MARK: - Regions

    func isReady(_ region: PixelRegion, reduction: Int) -> Bool {
        min(storedSize.height, region.rows.upperBound * reduction) <= index.withLock { $0.readRows }
    }

    func decode(
        _ regions: [PixelRegion], reduction: Int, cancellation: CancellationFlag, each: (Int, Bitmap) -> Void
    ) throws(WebImageError) {
        guard let band = regions.first?.rows else { return }
        let rows = band.lowerBound * reduction..<min(storedSize.height, band.upperBound * reduction)
        let splitter = try RegionSplitter(
            band: PixelSize(width: storedSize.width, height: rows.count), regions: regions, reduction: reduction,
            orientation: orientation, colorSpace: colorSpace)
        let scan = try PNGScan(
            stream, header: contents.header, from: index.withLock { $0.checkpoint(before: rows.lowerBound) })
        let capacity = max(1, Self.stripByteCount / scan.rowByteCount)
        guard let buffer = PixelBuffer(byteCount: capacity * scan.rowByteCount) else {
            throw .outOfMemory(for: storedSize)
        }
        while scan.row < rows.upperBound {
            if cancellation.isCancelled { throw .cancelled() }
            // Rows before the band are read, and not decoded.
            let isBefore = scan.row < rows.lowerBound
            let wanted = min(capacity, (isBefore ? rows.lowerBound : rows.upperBound) - scan.row)
            var made = 0
            let stop = try scan.read(into: buffer.base, capacity: wanted, made: &made)
            guard made == wanted || stop == .room else { throw .truncated(.png) }
            if !isBefore { try deliver(buffer, rowCount: made, scan.rowByteCount, to: splitter, cancellation) }
        }
        for (place, bitmap) in try splitter.finish().enumerated() { each(place, bitmap) }
    }

    private static let stripByteCount = 4 << 20

    private func deliver(
        _ buffer: PixelBuffer, rowCount: Int, _ rowByteCount: Int, to splitter: RegionSplitter,
        _ cancellation: CancellationFlag
    ) throws(WebImageError) {
        guard rowCount > 0 else { return }
        let file = strip.file(
            UnsafeRawBufferPointer(start: buffer.base, count: rowCount * rowByteCount), height: rowCount)
        var options = ImageDecodeOptions.forRows(in: colorSpace, cancellation: cancellation)
        options.rowReceiver = splitter
        var part = contents
        part.header.size.height = rowCount
        let pixels = PNGPixels(
            part, geometry: ThumbnailGeometry(storedSourceSize: part.header.size, orientation: .up, options: options),
            options: options)
        _ = try file.bytes.withUnsafeBytes { bytes throws(WebImageError) in try pixels.decode(bytes) }
    }
}
