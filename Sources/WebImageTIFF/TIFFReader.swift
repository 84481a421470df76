import CTIFF
import WebImageCore
import WebImagePixels

/// libtiff's reader on bytes in memory.
struct TIFFReader: ~Copyable {
    let header: webimage_tiff_header
    private let handle: OpaquePointer
    /// The file, where it is not in memory.
    private let file: RandomAccessFile?

    /// Opens the file and reads a directory of it.
    ///
    /// - Parameters:
    ///   - bytes: A whole file; must outlive the reader.
    ///   - place: The offset of the directory; nil for the first one.
    init(_ bytes: UnsafeRawBufferPointer, place: Int? = nil, limits: ImageLimits) throws(WebImageError) {
        var isOpen = false
        let pixelLimit = min(limits.maximumPixelCount, Int.max / Self.bytesPerPixel)
        let memoryLimit = max(Self.leastMemoryLimit, pixelLimit * Self.bytesPerPixel)
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let handle = webimage_tiff_reader_create(
                base, bytes.count, memoryLimit, UInt64(place ?? 0), &isOpen)
        else { throw .damaged(.tiff, "it cannot be opened") }
        var header = webimage_tiff_header()
        guard isOpen, webimage_tiff_reader_header(handle, &header) else {
            defer { webimage_tiff_reader_destroy(handle) }
            throw .damaged(.tiff, Self.message(of: handle) ?? "its directory is no picture's")
        }
        self.handle = handle
        self.header = header
        file = nil
    }

    /// Opens a file that is not in memory, and reads its first directory.
    init(_ file: RandomAccessFile) throws(WebImageError) {
        var isOpen = false
        // The context is this object's file, which it retains.
        let handle = webimage_tiff_reader_open(
            { context, offset, bytes, count in
                guard let context, let bytes, let offset = Int(exactly: offset) else { return 0 }
                let file = Unmanaged<RandomAccessFile>.fromOpaque(context).takeUnretainedValue()
                return (try? file.read(at: offset, into: UnsafeMutableRawBufferPointer(start: bytes, count: count)))
                    ?? 0
            }, Unmanaged.passUnretained(file).toOpaque(), file.byteCount, Self.blockMemoryLimit, &isOpen)
        guard let handle else { throw .damaged(.tiff, "it cannot be opened") }
        var header = webimage_tiff_header()
        guard isOpen, webimage_tiff_reader_header(handle, &header) else {
            defer { webimage_tiff_reader_destroy(handle) }
            throw .damaged(.tiff, Self.message(of: handle) ?? "its directory is no picture's")
        }
        self.handle = handle
        self.header = header
        self.file = file
    }

    deinit { webimage_tiff_reader_destroy(handle) }

    /// Decodes row `y` of interleaved strips; rows must be read in order.
    func readRow(_ y: Int, into row: PixelBuffer) throws(WebImageError) {
        try check(webimage_tiff_reader_row(handle, UInt32(y), row.base))
    }

    /// Decodes the tile or strip of a plane that contains pixel (x, y).
    func readBlock(
        x: Int, y: Int, plane: Int, into block: UnsafeMutablePointer<UInt8>
    ) throws(WebImageError) {
        try check(
            webimage_tiff_reader_block(handle, UInt32(x), UInt32(y), UInt16(plane), block, header.block_byte_count))
    }

    /// Whether libtiff can convert the picture.
    func checkConversion() throws(WebImageError) { try check(webimage_tiff_reader_can_convert(handle)) }

    /// Decodes and converts the tile or strip that contains pixel (x, y).
    func readConvertedBlock(x: Int, y: Int, into block: PixelBuffer) throws(WebImageError) {
        let words = UnsafeMutableRawPointer(block.base).assumingMemoryBound(to: UInt32.self)
        try check(webimage_tiff_reader_converted_block(handle, UInt32(x), UInt32(y), words))
    }

    private func check(_ isDone: Bool) throws(WebImageError) {
        if isDone { return }
        if webimage_tiff_reader_is_cut(handle) { throw .truncated(.tiff) }
        throw .damaged(.tiff, Self.message(of: handle) ?? "libtiff gives no reason")
    }

    private static func message(of handle: OpaquePointer) -> String? {
        let message = String(cString: webimage_tiff_reader_message(handle))
        return message.isEmpty ? nil : message
    }

    private static let bytesPerPixel = 8
    /// The most bytes of one allocation of libtiff's for a file that is read in parts.
    private static let blockMemoryLimit = 128 << 20
    /// Directories and decompressors need memory, too, for any picture.
    private static let leastMemoryLimit = 16 << 20
}
