import CPixels
import Glibc

/// The curves between sRGB's numbers and light (IEC 61966-2-1), as tables.
final class LinearLight: Sendable {
    static let shared = LinearLight()

    /// Light, 0 to 1, for evenly spaced numbers.
    let light: [Float]
    /// Numbers, 0 to 1, for evenly spaced light.
    let numbers: [Float]

    private init() {
        let places = (0..<Int(WEBIMAGE_TONE_COUNT)).map { Double($0) / Double(WEBIMAGE_TONE_COUNT - 1) }
        light = places.map { Float(Self.light(of: $0)) }
        numbers = places.map { Float(Self.number(for: $0)) }
    }

    /// The light, 0 to 1, of a number from 0 to 1.
    static func light(of number: Double) -> Double {
        number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4)
    }

    /// The number for light from 0 to 1.
    static func number(for light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

/// The sums of ``SeparableFilter`` in light instead of sRGB's numbers. One thread at a time.
final class LinearLightFilter {
    private let horizontal: ResampleWeights
    private let vertical: ResampleWeights
    private let format: PixelFormat
    private let hasAlpha: Bool
    private let curves: LinearLight
    /// The latest rows of the source as light; row n is in slot n % slotCount.
    private let ring: FloatRows
    private let slotCount: Int
    private let sums: FloatRows
    private var loadedRows = 0
    private var rowPointers: [UnsafePointer<Float>?]

    init(
        columns: ResampleWeights, rows: ResampleWeights, format: PixelFormat, hasAlpha: Bool, _ curves: LinearLight
    ) throws(WebImageError) {
        (horizontal, vertical) = (columns, rows)
        self.format = format
        self.hasAlpha = hasAlpha
        self.curves = curves
        slotCount = rows.maximumTapCount
        ring = try FloatRows(width: columns.cells.count, count: slotCount)
        sums = try FloatRows(width: columns.cells.count + columns.starts.count, count: 1)
        rowPointers = Array(repeating: nil, count: slotCount)
    }

    /// Writes row `index` of the result; rows in their order.
    func writeRow(_ index: Int, to result: UnsafeMutableRawPointer, from source: SourceRows) {
        let cells = vertical.cells(of: index)
        loadedRows = max(loadedRows, cells.lowerBound)
        while loadedRows < cells.upperBound { load(source) }
        for (tap, row) in cells.enumerated() { rowPointers[tap] = UnsafePointer(ring.row(row % slotCount)) }
        let (filtered, width) = (sums.row(0), horizontal.starts.count)
        let pixels = filtered + horizontal.cells.count * 4
        vertical.deepWeights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            webimage_sum_float_rows(
                rowPointers, base + index * vertical.stride, cells.count, filtered, horizontal.cells.count * 4)
        }
        webimage_sum_columns(
            filtered, horizontal.starts, horizontal.tapCounts, horizontal.deepWeights, horizontal.stride, pixels, width)
        if !hasAlpha { for x in 0..<width { pixels[x * 4 + 3] = format.maximum } }
        webimage_map_floats(pixels, curves.numbers, width)
        webimage_store_floats(pixels, format.channelType, hasAlpha, result, width)
    }

    private func load(_ source: SourceRows) {
        let (target, width) = (ring.row(loadedRows % slotCount), horizontal.cells.count)
        let pixels = source.row(vertical.cells.lowerBound + loadedRows)
        webimage_load_floats(
            pixels + horizontal.cells.lowerBound * format.bytesPerPixel, format.channelType, target, width)
        webimage_map_floats(target, curves.light, width)
        loadedRows += 1
    }
}
