import FoundationEssentials
import WebImageCore

extension ImageDecodeOptions {
    /// Bounds what is copied and decoded between two looks at the cancellation.
    private static let sliceByteCount = 64 << 10

    /// Hands what has come of a file on in small pieces, each after a look at the cancellation, as long as more is wanted.
    func forEachSlice(
        of data: Data, while isWanted: () -> Bool, _ body: (UnsafeRawBufferPointer) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        var rest = data
        while !rest.isEmpty && isWanted() {
            try checkCancellation()
            let slice = rest.prefix(Self.sliceByteCount)
            rest = rest.dropFirst(slice.count)
            try slice.bytes.withUnsafeBytes { bytes throws(WebImageError) in try body(bytes) }
        }
    }
}
