import FoundationEssentials
import WebImageCore

/// Memory for pixels that are not a bitmap yet, and for rows on their way.
package final class PixelBuffer {
    package let base: UnsafeMutablePointer<UInt8>
    private let storage: PixelStorage

    /// Uninitialised bytes; nil when the system has no memory left.
    package init?(byteCount: Int) {
        guard let storage = PixelStorage(byteCount: byteCount), let address = storage.bytes.baseAddress else {
            return nil
        }
        self.storage = storage
        base = address.assumingMemoryBound(to: UInt8.self)
    }

    /// The bytes of a file, for libraries that read it as long as they decode; nil when the system has no memory left.
    package convenience init?(copying data: Data) {
        self.init(byteCount: data.count)
        data.copyBytes(to: base, count: data.count)
    }
}
