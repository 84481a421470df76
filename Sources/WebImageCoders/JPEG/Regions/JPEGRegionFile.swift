import CJPEG
import FoundationEssentials
import Synchronization
import WebImageCore
import WebImagePixels

extension JPEGCoder {
    /// The parts of a large file; see ``ImageCoder/openRegions(of:limits:in:)``.
    public func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)? {
        try JPEGRegionFile(file, limits: limits, in: colorSpace)
    }
}

/// A JPEG file whose rows are read at an eighth of the size, and whose regions, if it is a baseline file, are made into
/// small files of their own.
final class JPEGRegionFile: RegionImageFile {
    let format = ImageFormat.jpeg
    let colorSpace: ColorSpace
    let baseSide: Int
    let rowReduction: Int
    let decodesWholeRows = false
    var storedSize: PixelSize { header.size }
    var orientation: ImageOrientation { header.orientation }

    private let file: RandomAccessFile
    private let header: JPEGHeader
    private let limits: ImageLimits
    /// nil for a file that cannot be read from the middle.
    private let map: JPEGMap?
    private let index: Mutex<JPEGIndex?>

    /// Reads the header.
    init(
        _ file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace = .sRGB,
        baseSide: Int = ImageDecodeOptions.baseSide
    ) throws(WebImageError) {
        let source = try JPEGFileSource(file)
        header = source.header
        try limits.check(.jpeg, source: header.size)
        map = source.makeMap()
        // Decoders are fast at these scales.
        let size = source.header.size
        rowReduction = [1, 2, 4].first { size.reduced(by: $0).longestSide <= baseSide } ?? 8
        self.baseSide = baseSide
        index = Mutex(map.map { JPEGIndex($0) })
        self.colorSpace = colorSpace
        self.file = file
        self.limits = limits
    }

    func readRows(
        reducedBy reduction: Int, into receiver: any PixelRowReceiver, cancellation: CancellationFlag
    ) throws(WebImageError) {
        var options = ImageDecodeOptions.forRows(in: colorSpace, cancellation: cancellation)
        options.limits = limits
        options.rowReceiver = receiver
        options.thumbnailPixelSize = header.size.reduced(by: reduction)
        options.preservesAspectRatio = false
        guard !header.isArithmetic else {
            _ = try JPEGCoder().decode(try file.everything(), options: options)
            return
        }
        var source = try JPEGFileSource(file)
        try source.decode(options)
    }

    // MARK: - The index

    var keptIndex: Data? {
        let index = index.withLock { $0 }
        return index?.isComplete == true ? index?.data : nil
    }

    func prepareRegions(
        kept: Data?, cancellation: CancellationFlag, progress: @Sendable () -> Void
    ) throws(WebImageError) -> Bool {
        guard let map else { return false }
        if let kept, let found = JPEGIndex(kept, of: map, byteCount: file.byteCount) {
            index.withLock { $0 = found }
            return true
        }
        var indexer = webimage_jpeg_indexer()
        indexer.stride = UInt32(JPEGIndex(map).stride)
        indexer.place.position = map.layout.offset << 3
        var reader = WindowReader(file)
        while true {
            if cancellation.isCancelled { throw .cancelled() }
            switch try advance(&indexer, map, &reader) {
            case WEBIMAGE_JPEG_INDEXED: return true
            case WEBIMAGE_JPEG_INDEX_MORE: progress()
            default: return false
            }
        }
    }

    private func advance(
        _ indexer: inout webimage_jpeg_indexer, _ map: JPEGMap, _ reader: inout WindowReader
    ) throws(WebImageError) -> webimage_jpeg_index_status {
        let offset = Int(indexer.place.position >> 3)
        var places: [webimage_jpeg_checkpoint] = []
        let before = (indexer.group, indexer.place.position)
        let status = try reader.withBytes(at: offset) { bytes, isLast in
            map.index(&indexer, bytes, isLast: isLast, into: &places)
        }
        guard status != WEBIMAGE_JPEG_INDEX_MORE || before != (indexer.group, indexer.place.position) else {
            return WEBIMAGE_JPEG_INDEX_FAILED
        }
        index.withLock { $0?.append(places) }
        return status
    }

    // MARK: - Regions

    func isReady(_ region: PixelRegion, reduction: Int) -> Bool {
        guard let map else { return false }
        let groups = JPEGGroups(around: region, reduction: reduction, of: map)
        return groups.rows.upperBound <= index.withLock { $0?.completeRows ?? 0 }
    }

    func decode(
        _ regions: [PixelRegion], reduction: Int, cancellation: CancellationFlag, each: (Int, Bitmap) -> Void
    ) throws(WebImageError) {
        for (place, region) in regions.enumerated() {
            each(place, try decode(region, reduction: reduction, cancellation))
        }
    }

    private func decode(
        _ region: PixelRegion, reduction: Int, _ cancellation: CancellationFlag
    ) throws(WebImageError) -> Bitmap {
        guard let map, let index = index.withLock({ $0 }) else { throw .contradictoryJPEG }
        let groups = JPEGGroups(around: region, reduction: reduction, of: map)
        guard groups.rows.upperBound <= index.completeRows else { throw .contradictoryJPEG }
        let size = groups.pixels(of: header.size).size
        return try map.withRegion(size, columns: groups.columns.count) { rows throws(WebImageError) in
            for row in groups.rows {
                if cancellation.isCancelled { throw .cancelled() }
                try add(row, groups.columns, of: index, to: rows)
            }
        } _: { bytes throws(WebImageError) in
            let inner = region.relative(to: groups.pixels(of: header.size).reduced(by: reduction))
            return try decode(bytes, inner, reduction: reduction, cancellation)
        }
    }

    private func add(
        _ row: Int, _ columns: Range<Int>, of index: JPEGIndex, to rows: JPEGRegionRows
    ) throws(WebImageError) {
        let reading = try index.reading(columns, ofRow: row)
        let bytes = try file.bytes(at: reading.bytes.lowerBound, count: reading.bytes.count)
        // At the end of the file there may be no marker.
        guard bytes.count + 2 >= reading.bytes.count else { throw .truncated(.jpeg) }
        try rows.add(
            bytes, checkpoints: reading.checkpoints, stride: index.stride, group: reading.group, skip: reading.skip)
    }

    /// Decodes the file of a region, and crops it.
    private func decode(
        _ bytes: UnsafeRawBufferPointer, _ region: PixelRegion, reduction: Int, _ cancellation: CancellationFlag
    ) throws(WebImageError) -> Bitmap {
        let decompressor = try JPEGDecompressor(bytes: bytes, isComplete: true)
        guard let found = try decompressor.readHeader() else { throw .contradictoryJPEG }
        let source = try decompressor.setScale(
            for: found.scaled(byEighths: 8 / reduction), of: found.asPart(of: header))
        var options = ImageDecodeOptions()
        options.decodesToWideGamut = colorSpace == .displayP3
        options.cancellation = cancellation
        let upright = region.upright(in: source.size, header.orientation)
        options.region = .cropped(columns: upright.columns, rows: upright.rows)
        let geometry = ThumbnailGeometry(
            storedSourceSize: source.size, orientation: header.orientation, options: options)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        try decompressor.start()
        return try assembler.assembleRows { rows throws(WebImageError) in
            while rows.remaining > 0 {
                try rows.withNext { row throws(WebImageError) in
                    guard try decompressor.read(into: row) else { throw .truncated(.jpeg) }
                }
            }
        }
    }
}

extension JPEGHeader {
    /// The header of a region's file, with the colours of the whole.
    fileprivate func asPart(of whole: JPEGHeader) -> JPEGHeader {
        JPEGHeader(
            size: size, bitsPerChannel: bitsPerChannel, isCMYK: isCMYK, isGray: isGray, hasMultipleScans: false,
            isArithmetic: false, orientation: whole.orientation, profile: whole.profile)
    }
}
