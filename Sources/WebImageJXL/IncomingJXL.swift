import CJXL
import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// An incomplete JPEG XL file and its visible part. Belongs to one thread at a time.
final class IncomingJXL: IncomingFile {
    /// Making a partial picture takes up to half as long as a decode.
    private static let maximumLookCount = 2
    /// The second partial picture waits until this many times the bytes of the first have arrived.
    private static let growthBetweenLooks = 4

    private struct Canvas {
        let header: JXLHeader
        let assembler: PixelAssembler
        let pixels: PixelBuffer
    }

    private var decompressor: JXLDecompressor
    private let options: ImageDecodeOptions
    /// Bytes that libjxl has not consumed.
    private var unused = Data()
    private var header: JXLHeader?
    private var source: PixelSource?
    private var canvas: Canvas?
    /// All bytes so far, with which libjxl 0.7 may have to begin again.
    private var file = Data()
    private var beginnings = JXLBeginnings()
    private var firstLookByteCount = 0
    private var lookCount = 0

    /// Whether no more bytes are needed: the picture is complete, or cannot be shown.
    private(set) var isFinished = false

    init(options: ImageDecodeOptions) throws(WebImageError) {
        decompressor = try JXLDecompressor(options: options, showsProgress: true)
        self.options = options
    }

    func update(_ newBytes: Data) throws(WebImageError) -> Image? {
        file += newBytes
        do throws(WebImageError) {
            switch beginnings.next(file) {
            case .goOn(nil): return try decode(newBytes)
            case .goOn(let codestream?): return try decode(codestream)
            case .beginAgain(let codestream): return try beginAgain(codestream)
            case .wait: return nil
            }
        } catch {
            // Before its pixels, it is damaged, and so it may be after them; but only a whole file tells.
            guard error.code == .badImageData, canvas != nil else { throw error }
            beginnings.hasFailed(file)
            guard case .beginAgain(let codestream) = beginnings.next(file) else { return nil }
            return try firstBeginning(codestream)
        }
    }

    private func firstBeginning(_ codestream: Data) throws(WebImageError) -> Image? {
        do throws(WebImageError) {
            return try beginAgain(codestream)
        } catch {
            guard error.code == .badImageData else { throw error }
            beginnings.hasFailed(file)
            return nil
        }
    }

    private func beginAgain(_ codestream: Data) throws(WebImageError) -> Image? {
        // Nor may it stop at passes.
        decompressor = try JXLDecompressor(options: options, takesAll: true)
        unused = Data()
        return try decode(codestream)
    }

    private func decode(_ newBytes: Data) throws(WebImageError) -> Image? {
        let bytes = unused + newBytes
        return try bytes.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            decompressor.setInput(bytes)
            defer { unused = Data(decompressor.takeBackInput()) }
            return try advance()
        }
    }

    private func advance() throws(WebImageError) -> Image? {
        var hasStep = false
        while !isFinished {
            switch try decompressor.next() {
            case .header: header = try decompressor.basicInfo()
            case .colors: source = header.map { decompressor.source($0, options) }
            case .pixelsWanted: try makeCanvas()
            case .progress: hasStep = true
            case .frameEnd:
                isFinished = true
                return try canvas.map(image)
            case .end: isFinished = true
            case .moreBytesWanted: return try look(hasStep: hasStep)
            case .frame: continue
            }
        }
        return nil
    }

    private func makeCanvas() throws(WebImageError) {
        guard let header, let source, source.layout != .invertedCMYK else {
            isFinished = true
            return
        }
        let depth: PixelDepth = source.layout == .rgba16 ? .sixteen : .eight
        let byteCount = header.size.area * depth.bytesPerPixel
        guard let pixels = PixelBuffer(byteCount: byteCount) else { throw .outOfMemory(for: header.size) }
        pixels.base.clear(count: byteCount)
        try decompressor.setOutput(pixels.base, header, depth)
        let geometry = header.geometry(frameCount: 1, options)
        canvas = Canvas(
            header: header, assembler: PixelAssembler(source: source, geometry: geometry, options: options),
            pixels: pixels)
    }

    private func look(hasStep: Bool) throws(WebImageError) -> Image? {
        guard let canvas, lookCount < Self.maximumLookCount else { return nil }
        let isDue = lookCount == 0 ? hasStep : file.count >= firstLookByteCount * Self.growthBetweenLooks
        guard isDue, JxlDecoderFlushImage(decompressor.decoder) == JXL_DEC_SUCCESS else { return nil }
        if lookCount == 0 { firstLookByteCount = file.count }
        lookCount += 1
        return try image(canvas)
    }

    private func image(_ canvas: Canvas) throws(WebImageError) -> Image {
        let bytesPerRow = canvas.assembler.sourceBytesPerRow
        let bitmap = try canvas.assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<canvas.header.size.height {
                try rows.withNext { $0.update(from: canvas.pixels.base + y * bytesPerRow, count: bytesPerRow) }
            }
        }
        return canvas.header.geometry(frameCount: 1, options)
            .makeImage(bitmap, of: .jpegXL, isIncremental: true, options: options)
    }
}
