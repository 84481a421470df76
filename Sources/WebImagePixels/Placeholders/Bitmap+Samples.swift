import WebImageCore

/// The pixels of a small bitmap: straight red, green, blue and alpha of 8 bits, row by row.
struct PixelSamples {
    let size: PixelSize
    let pixels: [SIMD4<UInt8>]

    var isOpaque: Bool { pixels.allSatisfy { $0.w == .max } }
}

extension Bitmap {
    /// The pixels, where no side is longer than `side`; otherwise those of a copy of the same proportions that fits.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func samples(within side: Int) throws(WebImageError) -> PixelSamples {
        let target = size.reduced(toSide: side)
        let box = PointSize(width: Double(target.width), height: Double(target.height))
        guard let geometry = ResizeGeometry(source: size, size: box, scale: 1, mode: .fill) else {
            throw .outOfMemory(for: target)
        }
        return try resized(geometry).withStraightPixels { base, bytesPerRow in
            let pixels = [SIMD4<UInt8>](unsafeUninitializedCapacity: target.area) { buffer, count in
                for y in 0..<target.height {
                    let row = base + y * bytesPerRow
                    for x in 0..<target.width {
                        let pixel = row + x * 4
                        buffer[y * target.width + x] = SIMD4(pixel[0], pixel[1], pixel[2], pixel[3])
                    }
                }
                count = target.area
            }
            return PixelSamples(size: target, pixels: pixels)
        }
    }
}

extension PixelSize {
    /// The size with the longer side `side`, and at least one pixel; the size itself where it is not longer.
    fileprivate func reduced(toSide side: Int) -> PixelSize {
        let longer = max(width, height)
        guard longer > side else { return self }
        func scaled(_ length: Int) -> Int {
            max(1, Int((Double(length) * Double(side) / Double(longer)).rounded()))
        }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}
