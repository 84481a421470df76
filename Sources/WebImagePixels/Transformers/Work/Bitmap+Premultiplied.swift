import WebImageCore

extension Bitmap {
    /// The result of `operation`, which weights colours by their alpha and takes premultiplied pixels, with this
    /// bitmap's kind of alpha. Straight pixels are given to it with 16 bits a channel: 8 bits would lose colours under
    /// low alpha.
    func withPremultipliedPixels(
        _ operation: (Bitmap) throws(WebImageError) -> Bitmap
    ) throws(WebImageError) -> Bitmap {
        guard !format.isPremultiplied, !isOpaque else { return try operation(self) }
        return try operation(premultiplied()).repacked(as: format)
    }

    /// The same pixels, premultiplied, with 16 bits a channel where they were straight.
    func premultiplied() throws(WebImageError) -> Bitmap {
        guard !format.isPremultiplied else { return self }
        return try repacked(as: format.isFloatingPoint ? .rgba16FloatPremultiplied : .rgba16Premultiplied)
    }
}
