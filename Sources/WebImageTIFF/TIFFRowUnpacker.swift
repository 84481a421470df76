import CPixels
import CTIFF
import WebImageCore

/// Turns a row of decoded samples into pixels.
struct TIFFRowUnpacker {
    private let picture: TIFFPicture
    private let header: webimage_tiff_header
    private let depth: PixelDepth

    init(_ picture: TIFFPicture, header: webimage_tiff_header, depth: PixelDepth) {
        self.picture = picture
        self.header = header
        self.depth = depth
    }

    /// Writes `count` pixels.
    ///
    /// - Parameters:
    ///   - row: The samples of all channels or, for separate planes, of the first plane; as decoded by libtiff.
    ///   - planeByteCount: The distance from a row of one plane to that of the next; 0 for interleaved samples.
    func unpack(
        _ row: UnsafePointer<UInt8>, planeByteCount: Int, to pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let samples = Samples(row: row, planeByteCount: planeByteCount, header: header)
        guard depth == .eight else {
            return pixels.withMemoryRebound(to: UInt16.self, capacity: count * 4) { values in
                unpackDeep(samples, to: values, count: count)
            }
        }
        switch picture.colors {
        case .gray(let isInverted): unpackGray(samples, isInverted: isInverted, to: pixels, count: count)
        case .rgb: for channel in 0..<3 { samples.unpack(channel, to: pixels + channel, count: count) }
        case .palette(let colors): unpackIndices(samples, colors: colors, to: pixels, count: count)
        case .cmyk:
            for channel in 0..<4 { samples.unpack(channel, to: pixels + channel, count: count) }
            // CMYK samples are amounts of ink; the pixels hold their complements.
            for index in 0..<count * 4 { pixels[index] = ~pixels[index] }
            return
        case .lab(let isICC): unpackLab(samples, isICC: isICC, to: pixels, count: count)
        case .converted: return
        }
        unpackAlpha(samples, to: pixels, count: count)
    }

    /// Grey and RGB only.
    private func unpackDeep(_ samples: Samples, to values: UnsafeMutablePointer<UInt16>, count: Int) {
        for channel in 0..<picture.colorCount { samples.unpack(channel, to: values + channel, count: count) }
        if case .gray(let isInverted) = picture.colors {
            for start in stride(from: 0, to: count * 4, by: 4) {
                let value = isInverted ? ~values[start] : values[start]
                (values[start], values[start + 1], values[start + 2]) = (value, value, value)
            }
        }
        guard picture.hasAlphaSample else {
            for index in 0..<count { values[index * 4 + 3] = .max }
            return
        }
        samples.unpack(picture.colorCount, to: values + 3, count: count)
        if picture.isPremultiplied { webimage_deep_unpremultiply(values, count) }
    }

    private func unpackAlpha(_ samples: Samples, to pixels: UnsafeMutablePointer<UInt8>, count: Int) {
        guard picture.hasAlphaSample else { return webimage_set_opaque(pixels, count) }
        samples.unpack(picture.colorCount, to: pixels + 3, count: count)
        if picture.isPremultiplied { webimage_tiff_unassociate(pixels, count) }
    }

    private func unpackGray(
        _ samples: Samples, isInverted: Bool, to pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        samples.unpack(0, to: pixels, count: count)
        for start in stride(from: 0, to: count * 4, by: 4) {
            let value = isInverted ? ~pixels[start] : pixels[start]
            (pixels[start], pixels[start + 1], pixels[start + 2]) = (value, value, value)
        }
    }

    private func unpackIndices(
        _ samples: Samples, colors: [UInt32], to pixels: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        var indices = [UInt16](repeating: 0, count: count)
        webimage_tiff_indices(samples.channel(0), &indices, count)
        pixels.withMemoryRebound(to: UInt32.self, capacity: count) { words in
            for (position, index) in indices.enumerated() { words[position] = colors[Int(index)] }
        }
    }

    private func unpackLab(_ samples: Samples, isICC: Bool, to pixels: UnsafeMutablePointer<UInt8>, count: Int) {
        var values = [[Float]](repeating: [Float](repeating: 0, count: count), count: 3)
        for channel in 0..<3 {
            // a and b are signed, whatever the tag says.
            let isSigned = channel > 0 && !isICC && Int(header.sample_format) != WEBIMAGE_TIFF_FLOAT
            webimage_tiff_floats(samples.channel(channel, isSigned: isSigned), &values[channel], count)
        }
        let color = LabColor(bitsPerSample: Int(header.bits_per_sample), isICC: isICC)
        for index in 0..<count {
            let rgb = color.sRGB(values[0][index], values[1][index], values[2][index])
            for channel in 0..<3 { pixels[index * 4 + channel] = rgb[channel] }
        }
    }

    /// The location of a row's samples.
    private struct Samples {
        let row: UnsafePointer<UInt8>
        let planeByteCount: Int
        let header: webimage_tiff_header

        func channel(_ index: Int, isSigned: Bool = false) -> webimage_tiff_samples {
            let isPlanar = header.is_planar
            return webimage_tiff_samples(
                row: row + index * planeByteCount, first: isPlanar ? 0 : index,
                step: isPlanar ? 1 : Int(header.samples_per_pixel), bits: UInt32(header.bits_per_sample),
                format: isSigned ? UInt32(WEBIMAGE_TIFF_SIGNED) : UInt32(header.sample_format))
        }

        func unpack(_ index: Int, to bytes: UnsafeMutablePointer<UInt8>, count: Int) {
            webimage_tiff_bytes(channel(index), bytes, 4, count)
        }

        func unpack(_ index: Int, to values: UnsafeMutablePointer<UInt16>, count: Int) {
            webimage_tiff_words(channel(index), values, 4, count)
        }
    }
}
