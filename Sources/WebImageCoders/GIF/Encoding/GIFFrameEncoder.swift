import WebImageCore

/// Encodes the frames of a file in order.
struct GIFFrameEncoder {
    private var palette: ColorPalette
    private let strength: Double
    private let reservesTransparency: Bool
    private var lzw = LZWEncoder()

    init(palette: ColorPalette, strength: Double, reservesTransparency: Bool) {
        self.palette = palette
        self.strength = strength
        self.reservesTransparency = reservesTransparency
    }

    /// The frame that turns `canvas` into `picture`.
    ///
    /// - Parameters:
    ///   - isWhole: Whether the frame must cover the whole screen.
    ///   - ownPalette: The frame's local colours; nil for those of all frames.
    mutating func encode(
        _ picture: GIFPicture, since canvas: GIFPicture, isWhole: Bool, ownPalette: ColorPalette?
    ) -> GIFEncodedFrame {
        var colors = ownPalette ?? palette
        let whole = AnimationCanvas.Area(columns: 0..<picture.size.width, rows: 0..<picture.size.height)
        // Even an empty frame must have a pixel.
        let least = AnimationCanvas.Area(columns: 0..<1, rows: 0..<1)
        let area = isWhole ? whole : picture.change(since: canvas) ?? least
        let transparentIndex = reservesTransparency ? UInt8(colors.colors.count) : nil
        let indices = indices(of: picture, since: canvas, area, &colors, transparentIndex ?? 0)
        if ownPalette == nil { palette = colors }
        let tableCount = colors.colors.count + (reservesTransparency ? 1 : 0)
        let minimumCodeSize = max(2, GIFWriter.tableBits(tableCount))
        return GIFEncodedFrame(
            area: area, disposal: .keep, hundredths: 0, transparentIndex: transparentIndex,
            localColors: ownPalette.map { $0.colors + (reservesTransparency ? [0] : []) },
            minimumCodeSize: minimumCodeSize, codes: lzw.encode(indices, minimumCodeSize: minimumCodeSize))
    }

    private func indices(
        of picture: GIFPicture, since canvas: GIFPicture, _ area: AnimationCanvas.Area, _ palette: inout ColorPalette,
        _ transparentIndex: UInt8
    ) -> [UInt8] {
        let width = area.columns.count
        var dithering = GIFDithering(width: width, strength: strength)
        var indices: [UInt8] = []
        indices.reserveCapacity(width * area.rows.count)
        var drawn = [UInt32](repeating: 0, count: width)
        for (number, y) in area.rows.enumerated() {
            let start = y * picture.size.width + area.columns.lowerBound
            for x in 0..<width {
                let pixel = picture.pixels[start + x]
                drawn[x] = reservesTransparency && pixel == canvas.pixels[start + x] ? 0 : pixel
            }
            indices += dithering.indices(
                of: drawn, isBackwards: !number.isMultiple(of: 2), palette: &palette,
                transparentIndex: transparentIndex)
        }
        return indices
    }
}
