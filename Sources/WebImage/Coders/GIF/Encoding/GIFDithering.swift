/// Converts pixels to indices with error diffusion (Floyd and Steinberg 1976), in alternating direction. Areas that are
/// not drawn neither give nor receive errors.
struct GIFDithering {
    /// The share of the error that is diffused: all of it makes flat areas exact and busy ones noisy.
    private let strength: Float
    /// Errors of this row and the next, three channels a pixel, with one more pixel on either side.
    private var current: [Float]
    private var next: [Float]
    private let width: Int

    init(width: Int, strength: Double) {
        self.width = width
        self.strength = Float(min(max(strength, 0), 1)) / 16
        current = [Float](repeating: 0, count: (width + 2) * 3)
        next = current
    }

    /// The indices of a row; `pixels` has 0 where nothing is drawn, which becomes `transparentIndex`.
    mutating func indices(
        _ pixels: ArraySlice<UInt32>, isBackwards: Bool, palette: inout ColorPalette, transparentIndex: UInt8,
        into indices: inout ArraySlice<UInt8>
    ) {
        (current, next) = (next, current)
        for index in next.indices { next[index] = 0 }
        let direction = isBackwards ? -1 : 1
        for step in 0..<width {
            let x = isBackwards ? width - 1 - step : step
            let pixel = pixels[pixels.startIndex + x]
            guard pixel != 0 else {
                indices[indices.startIndex + x] = transparentIndex
                continue
            }
            indices[indices.startIndex + x] = take(pixel, x, direction, &palette)
        }
    }

    private mutating func take(_ pixel: UInt32, _ x: Int, _ direction: Int, _ palette: inout ColorPalette) -> UInt8 {
        let place = (x + 1) * 3
        let (red, green, blue) = pixel.channels
        let wanted = (
            clamp(Float(red) + current[place]), clamp(Float(green) + current[place + 1]),
            clamp(Float(blue) + current[place + 2])
        )
        let index = palette.nearestIndex(
            to: .pixel(red: Int(wanted.0.rounded()), green: Int(wanted.1.rounded()), blue: Int(wanted.2.rounded())))
        guard strength > 0 else { return UInt8(index) }
        let got = palette.colors[index].channels
        spread(wanted.0 - Float(got.red), place, direction * 3)
        spread(wanted.1 - Float(got.green), place + 1, direction * 3)
        spread(wanted.2 - Float(got.blue), place + 2, direction * 3)
        return UInt8(index)
    }

    private mutating func spread(_ difference: Float, _ place: Int, _ step: Int) {
        let part = difference * strength
        current[place + step] += part * 7
        next[place - step] += part * 3
        next[place] += part * 5
        next[place + step] += part
    }

    private func clamp(_ value: Float) -> Float { min(max(value, 0), 255) }
}
