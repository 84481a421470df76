import WebImage

extension Bitmap {
    /// The longer side, in pixels, of a bitmap that a renderer's interpolation blurs when it enlarges it.
    private static let blurredSide = 24
    /// The number of samples along a side for each such pixel. Averaging all pixels of a photograph on the main thread
    /// takes longer than a frame, without a visible difference.
    private static let samplesPerPixel = 16

    /// The bitmap reduced so far that enlarging it blurs it; nil when there is no memory for it.
    func blurred() -> Bitmap? {
        let longerSide = max(size.width, size.height)
        let factor = min(1, Double(Self.blurredSide) / Double(longerSide))
        let small = PointSize(
            width: max(1, (Double(size.width) * factor).rounded()),
            height: max(1, (Double(size.height) * factor).rounded()))
        let samples = sampled(every: longerSide / (Self.blurredSide * Self.samplesPerPixel))
        return samples.flatMap { Image(bitmap: $0).resized(to: small, scaleMode: .fill)?.bitmap }
    }

    /// The centre pixel of each block of `step` × `step` pixels.
    private func sampled(every step: Int) -> Bitmap? {
        guard step > 1 else { return self }
        let count = PixelSize(width: max(1, size.width / step), height: max(1, size.height / step))
        return try? Bitmap(size: count, format: format, colorSpace: colorSpace) {
            rows, rowLength throws(WebImageError) in
            withUnsafeBytes { pixels in
                guard let base = pixels.baseAddress else { return }
                for row in 0..<count.height {
                    let start = min(size.height - 1, row * step + step / 2) * bytesPerRow
                    for column in 0..<count.width {
                        let pixel = start + min(size.width - 1, column * step + step / 2) * format.bytesPerPixel
                        (rows + row * rowLength + column * format.bytesPerPixel).copyMemory(
                            from: base + pixel, byteCount: format.bytesPerPixel)
                    }
                }
            }
            return isOpaque
        }
    }
}
