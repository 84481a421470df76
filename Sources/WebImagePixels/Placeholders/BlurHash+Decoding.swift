import WebImageCore

extension BlurHash {
    /// The blurred picture: opaque, 8 bits a channel, in sRGB.
    ///
    /// Blocks, for microseconds in a small size; any thread. Views enlarge a small one smoothly.
    /// - Parameters:
    ///   - size: In pixels; each side 1 to 4096.
    ///   - punch: The factor of the contrast, 0 (the mean colour alone) or more. Default 1, as in the picture.
    /// - Throws: ``WebImageError/Code/limitExceeded`` for other sizes, and when there is no memory;
    ///   ``WebImageError/Code/badImageData`` for a `punch` below 0, infinite or NaN.
    public func bitmap(size: PixelSize, punch: Double = 1) throws(WebImageError) -> Bitmap {
        try PlaceholderSizes.check(size)
        guard punch >= 0, punch.isFinite else {
            throw WebImageError(
                .badImageData, stage: .decode, kind: .permanent,
                reason: "\(punch) is no punch of a BlurHash; give 0 or more, such as 1")
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.area * 4)
        CosineTable.forEachSum(
            of: waves(punch: punch), columns: CosineTable(waveCount: columns, length: size.width, phase: 0),
            rows: CosineTable(waveCount: rows, length: size.height, phase: 0)
        ) { light in
            pixels.append(SRGBCodes.code(light.x))
            pixels.append(SRGBCodes.code(light.y))
            pixels.append(SRGBCodes.code(light.z))
            pixels.append(.max)
        }
        return try Bitmap(size: size, pixels: pixels)
    }

    private func waves(punch: Double) -> [SIMD4<Double>] {
        let mean = averageColor
        let light = SRGBCodes.light(SIMD4(mean.red, mean.green, mean.blue, 255))
        let scale = Self.amplitude(maximumCode) * punch
        return [SIMD4(light, 0)] + waveCodes.map { Self.wave($0) * scale }
    }

    private static func wave(_ code: Int) -> SIMD4<Double> {
        func channel(_ step: Int) -> Double {
            let root = Double(step - 9) / 9
            return root * abs(root)
        }
        return SIMD4(
            channel(code / (waveSteps * waveSteps)), channel(code / waveSteps % waveSteps), channel(code % waveSteps), 0
        )
    }
}
