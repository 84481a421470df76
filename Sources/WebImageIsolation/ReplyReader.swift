import FoundationEssentials
import WebImageCoders
import WebImageCore

/// Reads what a worker says in answer to one request, and believes none of it: the worker may be in the hands of the picture
/// that it decodes. What passes cannot be wrong in a way that harms the app; only the picture may be.
struct ReplyReader {
    /// The request under answer: with the replies so far, it limits the replies that may follow.
    private let request: WorkerRequest
    private let kind: DecoderKind
    private let limits: ImageLimits
    private var rows: ExpectedRows?
    private var message = MessageParts.Joiner()
    private var warningCount = 0
    private var progressCount = 0
    private var wishCount = 0
    private var deliveredRegions: Set<Int> = []

    private static let maximumWarningCount = 8
    private static let maximumProgressCount = 1 << 16
    /// Wishes for buffers: some more than there are.
    private static let maximumWishCount = 16

    /// - Parameter rowSize: The width and the number of the rows that are asked for; nil where only the worker knows them.
    init(to request: WorkerRequest, kind: DecoderKind, limits: ImageLimits, rowSize: PixelSize? = nil) {
        self.request = request
        self.kind = kind
        self.limits = limits
        rows = request.hasRows ? ExpectedRows(size: rowSize, limits: limits) : nil
    }

    /// Takes the next packet.
    ///
    /// - Parameter buffers: The sizes of the buffers that the worker has, in bytes.
    /// - Returns: nil in the middle of a message.
    /// - Throws: ``WebImageError/Code/badImageData`` for what no decoder says.
    mutating func read(_ packet: [UInt8], buffers: [Int]) throws(WebImageError) -> WorkerReply? {
        let reply: WorkerReply
        do throws(MessageError) {
            guard let bytes = try message.add(packet) else { return nil }
            message = MessageParts.Joiner()
            reply = try WorkerReply(messageBytes: bytes)
        } catch {
            throw .impossibleReply("no message of this version")
        }
        guard answers(reply) else { throw .impossibleReply("what was not asked for") }
        try check(reply, buffers)
        return reply
    }

    // MARK: - Whether it belongs to the request

    private func answers(_ reply: WorkerReply) -> Bool {
        switch (request, reply) {
        case (_, .failed), (_, .warning), (_, .needsBuffer): true
        case (.properties, .properties), (.decode, .image), (.animate, .animation), (.frame, .frame): true
        case (.decode(_, asRows: true), .rows), (.readRows, .rows), (.readRows, .done): true
        case (.update, .image), (.update, .noImage), (.openRegions, .regions): true
        case (.prepareRegions, .progress), (.prepareRegions, .prepared): true
        case (.decodeRegions, .region), (.decodeRegions, .done): true
        default: false
        }
    }

    // MARK: - Whether it can be

    private mutating func check(_ reply: WorkerReply, _ buffers: [Int]) throws(WebImageError) {
        switch reply {
        case .needsBuffer(let byteCount):
            wishCount += 1
            try require(wishCount <= Self.maximumWishCount, "the number of wishes for buffers")
            try require(byteCount > 0 && byteCount <= largestBuffer, "the size of a buffer")
            try require(buffers.count < WorkerRequest.maximumBufferCount, "the number of buffers")
        case .rows(let message): try checkRows(message, buffers)
        case .region(let index, let bitmap): try checkRegion(index, bitmap, buffers)
        case .warning:
            warningCount += 1
            try require(warningCount <= Self.maximumWarningCount, "the number of warnings")
        case .progress:
            progressCount += 1
            try require(progressCount <= Self.maximumProgressCount, "the number of reports")
        case .properties(let properties): if let properties { try check(properties) }
        case .image(let image): try check(image, buffers)
        case .animation(let animation): try check(animation)
        case .frame(let bitmap): try check(bitmap, buffers)
        case .regions(let file): if let file { try check(file) }
        case .done: try checkEnd()
        case .failed(let error): try check(error)
        case .noImage, .prepared: break
        }
    }

    private func require(_ condition: Bool, _ finding: String) throws(WebImageError) {
        guard condition else { throw .impossibleReply(finding) }
    }

    // MARK: - Pixels

    /// A row may be of a size that a picture may not have, and is short then.
    private static let leastBuffer = 1 << 20
    private static let bytesPerPixel = 8
    /// The alignment that ``Bitmap`` promises of its first byte.
    private static let alignment = 64

    private var largestBuffer: Int {
        let (byteCount, overflow) = max(0, limits.maximumPixelCount).multipliedReportingOverflow(by: Self.bytesPerPixel)
        return max(overflow ? .max : byteCount, Self.leastBuffer)
    }

    private func check(_ bitmap: BitmapMessage, _ buffers: [Int]) throws(WebImageError) {
        let sides = 1...limits.maximumPixelCount.clamped(to: 1...Int(Int32.max))
        try require(sides.contains(bitmap.size.width) && sides.contains(bitmap.size.height), "the size of the pixels")
        try require(bitmap.size.area <= limits.maximumPixelCount, "the number of pixels")
        try require(!bitmap.format.isFloatingPoint, "the layout of the pixels")
        // At most 2³¹ × 2³¹ × 8, of which the area is bounded, so that nothing overflows that memory could hold.
        let (byteCount, overflow) = bitmap.size.area.multipliedReportingOverflow(by: bitmap.format.bytesPerPixel)
        try require(!overflow, "the number of pixels")
        switch bitmap.pixels {
        case .inline(let bytes): try require(bytes.count == byteCount, "the number of bytes")
        case .buffer(let index, let offset):
            try require(buffers.indices.contains(index), "a buffer")
            try require(offset >= 0 && offset.isMultiple(of: Self.alignment), "a place in a buffer")
            try require(byteCount <= buffers[index] && offset <= buffers[index] - byteCount, "pixels out of a buffer")
        }
    }

    private mutating func checkRows(_ message: RowsMessage, _ buffers: [Int]) throws(WebImageError) {
        try require(buffers.indices.contains(message.buffer), "a buffer")
        try require(message.count > 0 && message.bytesPerRow > 0, "the size of rows")
        let (byteCount, overflow) = message.count.multipliedReportingOverflow(by: message.bytesPerRow)
        try require(!overflow && byteCount <= buffers[message.buffer], "rows out of a buffer")
        guard rows?.take(message) == true else { throw .impossibleReply("more rows, or other ones, than there are") }
    }

    private mutating func checkRegion(
        _ index: Int, _ bitmap: BitmapMessage, _ buffers: [Int]
    ) throws(WebImageError) {
        guard case .decodeRegions(let regions, _) = request else { return }
        try require(regions.indices.contains(index) && deliveredRegions.insert(index).inserted, "a region")
        let size = regions[index].size
        try require(bitmap.size == size || bitmap.size == size.transposed, "the size of a region")
        try require(bitmap.format == .rgba8Premultiplied, "the layout of a region")
        try check(bitmap, buffers)
    }

    /// The answer without a value of its own: all has come before it.
    private func checkEnd() throws(WebImageError) {
        if let rows { try require(rows.isComplete, "fewer rows than there are") }
        if case .decodeRegions(let regions, _) = request {
            try require(deliveredRegions.count == regions.count, "fewer regions than were asked for")
        }
    }

    // MARK: - Numbers

    /// Beyond what any format's header can hold, and far below what overflows.
    private static let largestSide = 1 << 32
    private static let largestCount = 1 << 32
    /// Durations of single frames beyond it overflow where they are added up.
    private static let longestFrame = Duration.seconds(1_000_000_000)

    private func check(_ image: ImageMessage, _ buffers: [Int]) throws(WebImageError) {
        try check(image.bitmap, buffers)
        let metadata = image.metadata
        try require(kind.toldFormats.contains(metadata.format), "the format")
        if let size = metadata.originalPixelSize { try check(size) }
        try require((1...largestFrameCount).contains(metadata.frameCount), "the number of frames")
        try require((0...Self.largestCount).contains(metadata.loopCount), "the number of plays")
        try require(!metadata.isTransformed, "a transformed picture")
        guard let animation = image.animation else { return }
        try require(kind.isAnimated, "an animation")
        try check(animation)
        try require(animation.durations.count == metadata.frameCount, "the number of frames")
    }

    private func check(_ properties: ImageProperties) throws(WebImageError) {
        try require(kind.toldFormats.contains(properties.format), "the format")
        try check(properties.pixelSize)
        try require((1...largestFrameCount).contains(properties.frameCount), "the number of frames")
        try require((0...Self.largestCount).contains(properties.loopCount), "the number of plays")
        try require((1...64).contains(properties.bitsPerChannel), "the depth")
        let durations = properties.frameDurations
        try require(durations.isEmpty || durations.count == properties.frameCount, "the number of durations")
        try check(durations)
    }

    private func check(_ animation: AnimationMessage) throws(WebImageError) {
        try require((1...largestFrameCount).contains(animation.durations.count), "the number of frames")
        try require((0...Self.largestCount).contains(animation.loopCount), "the number of plays")
        try check(animation.durations)
    }

    private func check(_ durations: [Duration]) throws(WebImageError) {
        try require(durations.allSatisfy { (.zero...Self.longestFrame).contains($0) }, "a duration")
    }

    private func check(_ size: PixelSize) throws(WebImageError) {
        try require((1...Self.largestSide).contains(size.width), "the width")
        try require((1...Self.largestSide).contains(size.height), "the height")
    }

    /// Documents have pages, and files of which one picture is wanted may have any number behind it.
    private var largestFrameCount: Int {
        switch request {
        case .properties(_, let options) where options.decodesFirstFrameOnly: Self.largestCount
        case .properties where kind == .pdf: Self.largestCount
        default: limits.maximumFrameCount.clamped(to: 1...Self.largestCount)
        }
    }

    private func check(_ file: RegionFileMessage) throws(WebImageError) {
        try require(kind.toldFormats.contains(file.format), "the format")
        try check(file.storedSize)
        try require(file.storedSize.area <= limits.maximumSourcePixelCount, "the size of the picture")
        if case .openRegions(_, let colorSpace) = request { try require(file.colorSpace == colorSpace, "the colours") }
        try require((1...ImageDecodeOptions.baseSide).contains(file.baseSide), "the size of the base")
        try require(
            (1...Self.largestReduction).contains(file.rowReduction) && file.rowReduction.nonzeroBitCount == 1,
            "the reduction")
    }

    private static let largestReduction = 1 << 16

    // MARK: - Errors

    /// Checks an error as coders throw it. A worker neither cancels a load nor says that another one may go better.
    private func check(_ error: WebImageError) throws(WebImageError) {
        let codes: [WebImageError.Code] = [
            .badImageData, .truncatedImageData, .limitExceeded, .invalidOperation, .fileFailed,
        ]
        try require(codes.contains(error.code), "the code of an error")
        // Of memory or of a disk.
        let mayPass = error.code == .limitExceeded || error.code == .fileFailed
        let isKind = error.kind == .permanent || error.kind == .policy || error.kind == .transient && mayPass
        try require(isKind, "the kind of an error")
        try require(error.stage == .decode || error.stage == .transform, "the stage of an error")
        try require(!error.isOfFrameCount || error.code == .limitExceeded, "an error of the number of frames")
    }
}

/// The rows of one reading, of which all have one size.
private struct ExpectedRows {
    private var bytesPerRow: Int?
    private var remaining: Int

    /// - Parameter size: In pixels of four bytes; nil where only the limits are known.
    init(size: PixelSize?, limits: ImageLimits) {
        bytesPerRow = size.map { $0.width * 4 }
        remaining = size?.height ?? max(1, limits.maximumSourcePixelCount)
    }

    var isComplete: Bool { remaining == 0 }

    mutating func take(_ rows: RowsMessage) -> Bool {
        guard rows.count <= remaining, rows.bytesPerRow == bytesPerRow ?? rows.bytesPerRow else { return false }
        bytesPerRow = rows.bytesPerRow
        remaining -= rows.count
        return true
    }
}

extension WorkerRequest {
    fileprivate var hasRows: Bool {
        switch self {
        case .decode(_, let asRows): asRows
        case .readRows: true
        default: false
        }
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension WebImageError {
    /// A worker said what no decoder says; `finding` completes "answered what cannot be: …".
    static func impossibleReply(_ finding: String) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent,
            reason: "the process that decodes the picture answered what cannot be: \(finding)")
    }
}
