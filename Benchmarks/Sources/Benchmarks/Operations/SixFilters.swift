import Glibc
import WebImage

/// Six colour filters against one alone: neighbours are to run in one pass.
enum SixFilters: PictureOperation {
    static let id = "six-filters"
    static let what = "12 megapixels, six colour filters in a pipeline"
    static let goal = 1.5
    static let rivals = [OperationRival("one of them", .ours { try $0.filtered(by: [.saturation(1.4)]) })]
    static let reference = OperationReference.pixels { pixel in
        steps.reduce(pixel.prefix(3).map { $0 / 255 }) { color, step in
            step(color).map { min(1, max(0, $0)) }
        }.map { $0 * 255 } + [pixel[3]]
    }

    private static let filters: [ColorFilter] = [
        .saturation(1.4), .brightness(0.05), .contrast(1.1), .sepia(0.3), .hue(0.2), .gamma(1.2),
    ]

    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.filtered(by: filters) }

    // MARK: - The same filters in double precision (W3C, Filter Effects Module Level 1, section 9)

    private static let steps: [@Sendable ([Double]) -> [Double]] = [
        { color in color.map { 1.4 * $0 - 0.4 * gray(color) } },
        { color in color.map { $0 + 0.05 } },
        { color in color.map { 1.1 * $0 - 0.05 } },
        { color in zip(color, product(sepia, color)).map { 0.7 * $0 + 0.3 * $1 } },
        { color in product(hue, color) },
        { color in color.map { pow($0, 1.2) } },
    ]

    private static let sepia = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]

    private static let hue: [[Double]] = {
        let (c, s) = (cos(0.2), sin(0.2))
        return [
            [0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928],
            [0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283],
            [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072],
        ]
    }()

    private static func gray(_ color: [Double]) -> Double { 0.213 * color[0] + 0.715 * color[1] + 0.072 * color[2] }

    private static func product(_ rows: [[Double]], _ color: [Double]) -> [Double] {
        rows.map { row in zip(row, color).reduce(0) { $0 + $1.0 * $1.1 } }
    }
}
