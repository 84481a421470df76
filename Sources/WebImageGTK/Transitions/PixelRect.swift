import WebImage

/// A part of a bitmap, in whole pixels.
nonisolated struct PixelRect: Hashable {
    var x: Int
    var y: Int
    var size: PixelSize

    /// All of a bitmap of `size`.
    init(_ size: PixelSize) { self.init(x: 0, y: 0, size: size) }

    init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }

    /// The pixels of a bitmap of `size` that `rect`, in its pixels, touches, extended by `margin` on each side within
    /// the bitmap; nil for none.
    init?(around rect: PointRect, margin: Int, within size: PixelSize) {
        let slack = 1e-3
        let left = max(0, Int((rect.x + slack).rounded(.down)) - margin)
        let top = max(0, Int((rect.y + slack).rounded(.down)) - margin)
        let right = min(size.width, Int((rect.maxX - slack).rounded(.up)) + margin)
        let bottom = min(size.height, Int((rect.maxY - slack).rounded(.up)) + margin)
        guard right > left, bottom > top else { return nil }
        self.init(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
    }

    var points: PointRect {
        PointRect(x: Double(x), y: Double(y), width: Double(size.width), height: Double(size.height))
    }

    /// The same part, cut at multiples of `height` in the bitmap's rows.
    func bands(ofRows height: Int) -> [PixelRect] {
        let end = y + size.height
        return stride(from: y / height * height, to: end, by: height).map { start in
            let top = max(y, start)
            return PixelRect(x: x, y: top, size: PixelSize(width: size.width, height: min(end, start + height) - top))
        }
    }

    /// The same part in pieces whose sides are at most `limit`.
    func pieces(ofAtMost limit: Int) -> [PixelRect] {
        guard size.width > limit || size.height > limit else { return [self] }
        return stride(from: 0, to: size.height, by: limit).flatMap { top in
            stride(from: 0, to: size.width, by: limit).map { left in
                PixelRect(
                    x: x + left, y: y + top,
                    size: PixelSize(width: min(limit, size.width - left), height: min(limit, size.height - top)))
            }
        }
    }
}
