import CAVIF
import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// libavif's decoder of one file. Belongs to one thread at a time.
final class AVIFFile {
    /// The content of the boxes.
    private(set) var header: AVIFHeader

    private let decoder: UnsafeMutablePointer<avifDecoder>

    /// Opens a file, repaired if necessary, for the duration of `body`.
    static func withFile<Result>(
        _ data: Data, limits: ImageLimits, _ body: (AVIFFile) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        let outcome: Swift.Result<Result, WebImageError>
        do throws(WebImageError) {
            outcome = try withBytes(data, limits: limits, body)
        } catch {
            guard error.code == .badImageData, let mended = AVIFRepair.mended(data) else { throw error }
            outcome = try withBytes(mended, limits: limits) { file throws(WebImageError) in
                file.header.isMended = true
                return try body(file)
            }
        }
        return try outcome.get()
    }

    /// - Throws: When the file cannot be opened.
    private static func withBytes<Result>(
        _ data: Data, limits: ImageLimits, _ body: (AVIFFile) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Swift.Result<Result, WebImageError> {
        try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let file = try AVIFFile(bytes, limits: limits)
            return Swift.Result { () throws(WebImageError) in try body(file) }
        }
    }

    /// Reads the boxes.
    ///
    /// - Parameter bytes: The file; it must outlive this object.
    init(_ bytes: UnsafeRawBufferPointer, limits: ImageLimits) throws(WebImageError) {
        guard let decoder = avifDecoderCreate() else {
            throw .outOfMemory(for: PixelSize(width: 0, height: 0))
        }
        do throws(WebImageError) {
            Self.configure(decoder, limits: limits)
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            try Self.check(avifDecoderSetIOMemory(decoder, start, bytes.count), of: decoder, limits)
            try Self.check(avifDecoderParse(decoder), of: decoder, limits)
            header = try Self.header(of: decoder, bytes)
        } catch {
            avifDecoderDestroy(decoder)
            throw error
        }
        self.decoder = decoder
    }

    deinit { avifDecoderDestroy(decoder) }

    /// The frame that was decoded last. Its planes are valid until the next one is decoded.
    var image: UnsafeMutablePointer<avifImage> { decoder.pointee.image }

    /// Decodes a frame of the sequence, and the frames that it depends on.
    func decodeFrame(at index: Int) throws(WebImageError) {
        try Self.check(avifDecoderNthImage(decoder, UInt32(index)), of: decoder, ImageLimits())
        try checkSize()
    }

    /// The pixels may have another size than the boxes, which the memory limits were checked with.
    private func checkSize() throws(WebImageError) {
        let size = header.geometry.storedSize
        guard image.pointee.width == UInt32(size.width), image.pointee.height == UInt32(size.height) else {
            throw .damaged(.avif, "its pixels are of another size than its header says")
        }
    }

    private static func configure(_ decoder: UnsafeMutablePointer<avifDecoder>, limits: ImageLimits) {
        decoder.pointee.maxThreads = 1
        // Encoders have omitted mandatory boxes for years; libavif can read such files.
        decoder.pointee.strictFlags = AVIF_STRICT_DISABLED.rawValue
        // The orientation is a property of the item; EXIF's must not be applied in addition.
        decoder.pointee.ignoreExif = AVIF_TRUE
        decoder.pointee.ignoreXMP = AVIF_TRUE
        // libavif rejects a limit above its default.
        decoder.pointee.imageSizeLimit = UInt32(min(limits.maximumPixelCount, Int(AVIF_DEFAULT_IMAGE_SIZE_LIMIT)))
        decoder.pointee.imageDimensionLimit = 0
        decoder.pointee.imageCountLimit = UInt32(clamping: max(1, limits.maximumFrameCount))
    }

    private static func header(
        of decoder: UnsafeMutablePointer<avifDecoder>, _ bytes: UnsafeRawBufferPointer
    ) throws(WebImageError) -> AVIFHeader {
        guard let image = decoder.pointee.image, image.pointee.width > 0, image.pointee.height > 0 else {
            throw .damaged(.avif, "it has no picture")
        }
        let repetitions = Int(webimage_avif_repetition_count(decoder))
        let icc = image.pointee.icc
        let isSequence = decoder.pointee.progressiveState == AVIF_PROGRESSIVE_STATE_UNAVAILABLE
        let frameCount = isSequence ? max(1, Int(decoder.pointee.imageCount)) : 1
        return AVIFHeader(
            geometry: ItemGeometry(
                storedSize: PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height)),
                transformations: transformations(of: image)),
            bitsPerChannel: Int(image.pointee.depth), hasAlpha: decoder.pointee.alphaPresent != AVIF_FALSE,
            iccProfile: icc.data.flatMap { icc.size > 0 ? Data(bytes: $0, count: icc.size) : nil },
            colors: colors(of: image, bytes), frameDurations: (0..<frameCount).map { duration(of: $0, in: decoder) },
            playCount: repetitions < 0 ? 0 : repetitions + 1)
    }

    /// libavif reports it since version 1.0 only.
    private static func peakLuminance(_ bytes: UnsafeRawBufferPointer) -> Double? {
        guard let base = bytes.baseAddress else { return nil }
        let data = Data(bytesNoCopy: .init(mutating: base), count: bytes.count, deallocator: .none)
        // Image sequences may have no items, and libavif accepts faulty ones.
        return try? ItemPropertyReader(data, format: .avif).peakLuminanceOfPrimaryItem()
    }

    private static func colors(
        of image: UnsafeMutablePointer<avifImage>, _ bytes: UnsafeRawBufferPointer
    ) -> CodedColors? {
        var colors = CodedColors(
            primaries: Int(image.pointee.colorPrimaries), transfer: Int(image.pointee.transferCharacteristics))
        if colors?.transfer == .perceptualQuantizer { colors?.peakLuminance = peakLuminance(bytes) }
        return colors == .sRGB ? nil : colors
    }

    /// In milliseconds.
    private static func duration(of index: Int, in decoder: UnsafeMutablePointer<avifDecoder>) -> Int {
        var timing = avifImageTiming()
        guard avifDecoderNthImageTiming(decoder, UInt32(index), &timing) == AVIF_RESULT_OK else { return 0 }
        return Int(exactly: (timing.duration * 1000).rounded()) ?? 0
    }

    /// In MIAF's order (ISO/IEC 23000-22 §7.3.6.7): crop, rotate, mirror.
    private static func transformations(of image: UnsafeMutablePointer<avifImage>) -> [ItemTransformation] {
        let flags = image.pointee.transformFlags
        var result: [ItemTransformation] = []
        if flags & AVIF_TRANSFORM_CLAP.rawValue != 0 { result.append(.crop(CleanAperture(image.pointee.clap))) }
        if flags & AVIF_TRANSFORM_IROT.rawValue != 0 {
            result.append(.rotation(quarterTurns: Int(image.pointee.irot.angle)))
        }
        if flags & AVIF_TRANSFORM_IMIR.rawValue != 0 {
            result.append(.mirror(webimage_avif_mirror(image) == 0 ? .topToBottom : .leftToRight))
        }
        return result
    }
}

extension AVIFFile {
    private static func check(
        _ result: avifResult, of decoder: UnsafeMutablePointer<avifDecoder>, _ limits: ImageLimits
    ) throws(WebImageError) {
        guard result != AVIF_RESULT_OK else { return }
        let diagnosis = String(cString: webimage_avif_diagnosis(decoder))
        if diagnosis.contains("imageCountLimit") { throw .tooManyFrames(.avif, limits) }
        if diagnosis.contains("dimensions are too large") {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason:
                    "the AVIF file has more pixels than ImageLimits.maximumPixelCount or libavif allow; \(diagnosis)")
        }
        if diagnosis.contains("possibly truncated") { throw .truncated(.avif) }
        switch result {
        case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_IO_ERROR: throw .truncated(.avif)
        case AVIF_RESULT_INVALID_FTYP: throw .unsupported(.avif, "libavif takes only the brands avif and avis")
        case AVIF_RESULT_OUT_OF_MEMORY: throw .outOfMemory(for: PixelSize(width: 0, height: 0))
        default:
            let sentence = String(cString: avifResultToString(result))
            throw .damaged(.avif, diagnosis.isEmpty ? sentence : "\(sentence): \(diagnosis)")
        }
    }
}

extension CleanAperture {
    /// Offsets are signed, though libavif has them as unsigned numbers.
    fileprivate init(_ box: avifCleanApertureBox) {
        self.init(
            width: Fraction(numerator: Int(box.widthN), denominator: Int(box.widthD)),
            height: Fraction(numerator: Int(box.heightN), denominator: Int(box.heightD)),
            horizontalOffset: Fraction(
                numerator: Int(Int32(bitPattern: box.horizOffN)), denominator: Int(box.horizOffD)),
            verticalOffset: Fraction(numerator: Int(Int32(bitPattern: box.vertOffN)), denominator: Int(box.vertOffD)))
    }
}
