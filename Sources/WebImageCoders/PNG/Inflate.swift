import CDeflate
import FoundationEssentials

/// Decompression of small data in picture files, by libdeflate. Not for pixels.
enum Inflate {
    /// The decompressed zlib data (RFC 1950); nil when they are damaged or would exceed `maximumByteCount` bytes.
    static func zlib(_ compressed: Data, maximumByteCount: Int) -> Data? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        // The format does not have the size of the result: tries a likely size, then larger ones up to the limit.
        var capacity = min(maximumByteCount, max(4096, compressed.count * 4))
        while true {
            let (result, output) = decompress(compressed, with: decompressor, capacity: capacity)
            guard result == LIBDEFLATE_INSUFFICIENT_SPACE, capacity < maximumByteCount else {
                return result == LIBDEFLATE_SUCCESS ? output : nil
            }
            capacity = min(maximumByteCount, capacity * 4)
        }
    }

    private static func decompress(
        _ compressed: Data, with decompressor: OpaquePointer, capacity: Int
    ) -> (libdeflate_result, Data) {
        var result = LIBDEFLATE_BAD_DATA
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
            result = compressed.withUnsafeBytes { input in
                libdeflate_zlib_decompress(
                    decompressor, input.baseAddress, input.count, buffer.baseAddress, buffer.count, &count)
            }
            initializedCount = result == LIBDEFLATE_SUCCESS ? count : 0
        }
        return (result, Data(bytes))
    }
}
