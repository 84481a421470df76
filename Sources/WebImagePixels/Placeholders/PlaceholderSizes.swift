import WebImageCore

/// The sizes of pictures that hashes are made of, and of those that are made of hashes.
enum PlaceholderSizes {
    /// The longest side of a picture that is hashed as it is; a larger one has nothing more that a hash could keep.
    static let largestSource = 100
    /// The longer side of a placeholder in pixels; views enlarge it.
    static let usual = 32
    /// The longest side that a hash is decoded to.
    private static let largest = 4096

    /// The usual size for a width divided by a height; nil for a ratio that is not above 0.
    static func size(aspectRatio: Double) -> PixelSize? {
        guard aspectRatio > 0, aspectRatio.isFinite else { return nil }
        let side = Double(usual)
        let (width, height) = aspectRatio > 1 ? (side, side / aspectRatio) : (side * aspectRatio, side)
        return PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    }

    /// - Throws: ``WebImageError/Code/limitExceeded`` for a size that no hash is decoded to.
    static func check(_ size: PixelSize) throws(WebImageError) {
        guard !size.isEmpty, size.width <= largest, size.height <= largest else {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason: "a hash cannot be decoded to \(size) pixels; give 1 to \(largest) for each side")
        }
    }
}
