/// The sizes of pictures that hashes are made of, and of those that are made of hashes.
enum PlaceholderSizes {
    /// The longest side of a picture that is hashed as it is; a larger one has nothing more that a hash could keep.
    static let largestSource = 100
    /// The longer side of a placeholder in pixels; views enlarge it.
    static let usual = 32
    /// The longest side that a hash is decoded to.
    private static let largest = 4096

    /// - Throws: ``WebImageError/Code/limitExceeded`` for a size that no hash is decoded to.
    static func check(_ size: PixelSize) throws(WebImageError) {
        guard !size.isEmpty, size.width <= largest, size.height <= largest else {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason: "a hash cannot be decoded to \(size) pixels; give 1 to \(largest) for each side")
        }
    }
}
