import WebImageCore

/// Two bitmaps of the same size in one format, premultiplied, so that colours under no alpha count for nothing: of 16 bits
/// a channel where either has them.
package struct BitmapPair: Sendable {
    let first: Bitmap
    let second: Bitmap

    /// The depth of both.
    package var depth: PixelDepth { first.format.depth }
    /// The size of both.
    package var size: PixelSize { first.size }

    /// - Throws: ``WebImageError/Code/badImageData`` for different sizes, and ``WebImageError/Code/limitExceeded`` when
    ///   there is no memory.
    package init(_ first: Bitmap, _ second: Bitmap) throws(WebImageError) {
        guard first.size == second.size else { throw .differentSizes(first.size, second.size) }
        let isDeep = [first, second].contains { $0.format.depth != .eight }
        let format: PixelFormat = isDeep ? .rgba16Premultiplied : .rgba8Premultiplied
        self.first = try first.converted(to: format)
        self.second = try second.converted(to: format)
    }

    /// Whether every pixel of both is opaque.
    var isOpaque: Bool { first.isOpaque && second.isOpaque }

    /// Calls `body` with each row of both from the top down, until `cancellation` is raised.
    ///
    /// - Throws: ``WebImageError/Code/cancelled``.
    func forEachRow(
        until cancellation: CancellationFlag?,
        _ body: (_ y: Int, _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>) -> Void
    ) throws(WebImageError) {
        try first.withUnsafeBytes { firstBytes throws(WebImageError) in
            try second.withUnsafeBytes { secondBytes throws(WebImageError) in
                guard let firstBase = firstBytes.baseAddress, let secondBase = secondBytes.baseAddress else { return }
                for y in 0..<size.height {
                    if cancellation?.isCancelled == true { throw .cancelled() }
                    let one = firstBase + y * first.bytesPerRow
                    let other = secondBase + y * second.bytesPerRow
                    body(y, one.assumingMemoryBound(to: UInt8.self), other.assumingMemoryBound(to: UInt8.self))
                }
            }
        }
    }
}

extension WebImageError {
    fileprivate static func differentSizes(_ first: PixelSize, _ second: PixelSize) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent,
            reason: "pictures of \(first) and \(second) pixels cannot be compared; resize one of them")
    }
}
