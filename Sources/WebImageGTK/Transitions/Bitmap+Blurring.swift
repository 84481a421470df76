import WebImage

extension Bitmap {
    /// Pixels of the longer side from which a renderer's own interpolation makes a blurred picture.
    private static let blurredSide = 24
    /// As many pixels as are averaged along a side for each of them. To average all of those of a photograph, on the main
    /// thread, would take longer than a frame, and nobody would see it.
    private static let samplesPerPixel = 16

    /// The bitmap so small that it is blurred where it is drawn; nil when there is no memory for it.
    func blurred() -> Bitmap? {
        let longerSide = max(size.width, size.height)
        let factor = min(1, Double(Self.blurredSide) / Double(longerSide))
        let small = PointSize(
            width: max(1, (Double(size.width) * factor).rounded()),
            height: max(1, (Double(size.height) * factor).rounded()))
        let samples = sampled(every: longerSide / (Self.blurredSide * Self.samplesPerPixel))
        return samples.flatMap { Image(bitmap: $0).resized(to: small, scaleMode: .fill)?.bitmap }
    }

    /// The middle one of `step` × `step` pixels each.
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
