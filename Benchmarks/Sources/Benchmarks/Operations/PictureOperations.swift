import WebImage

/// All operations that are measured.
enum PictureOperations {
    static let all: [any PictureOperation.Type] = [
        LanczosReduction.self, BoxReduction.self, BlurLikeBoxes.self, BlurLikeGaussian.self, Premultiplication.self,
        Swizzle.self, HorizontalFlip.self, Cropping.self, Tint.self, MatrixFilter.self, QuarterTurn.self,
        SixFilters.self,
    ]

    static let benchmarks: [any Benchmark] = [OperationScaling<LanczosReduction>()] + all.flatMap { times($0) }

    private static func times<Operation: PictureOperation>(_ operation: Operation.Type) -> [any Benchmark] {
        [OperationTime<Operation, OneProcessor>(), OperationTime<Operation, AllProcessors>()]
    }
}

// MARK: - Resampling

private let quarters = PixelSize(width: 800, height: 600)

enum LanczosReduction: PictureOperation {
    static let id = "resize-lanczos"
    static let what = "12 megapixels to 800×600, Lanczos3"
    static let goal = 0.35
    static let rivals = [
        OperationRival("Pillow", .pillow("lanczos")), OperationRival("libvips", .vips("lanczos")),
        OperationRival("libvips, gap 0", .vips("lanczos-exact")),
        OperationRival("OpenCV LANCZOS4, which is not antialiased", .openCV("lanczos"), isCounted: false),
    ]
    static let reference = OperationReference.lanczos3(scale: 5)
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.resized(to: quarters, filter: .lanczos3) }
}

enum BoxReduction: PictureOperation {
    static let id = "resize-box"
    static let what = "12 megapixels to 800×600, box"
    static let goal = 0.6
    static let rivals = [
        OperationRival("OpenCV INTER_AREA", .openCV("box")),
        OperationRival("libvips shrink", .vips("box"), isCounted: false),
        OperationRival("Pillow reduce", .pillow("box"), isCounted: false),
    ]
    static let reference = OperationReference.box(scale: 5)
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.resized(to: quarters, filter: .box) }
}

// MARK: - Blur

private let deviation = 20.0

enum BlurLikeBoxes: PictureOperation {
    static let id = "blur"
    static let what = "12 megapixels, Gaussian blur of σ 20"
    static let goal = 1.1
    static let rivals = [
        OperationRival("OpenCV, three boxes", .openCV("blur-boxes")),
        OperationRival("Pillow, boxes", .pillow("blur"), isCounted: false),
    ]
    static let reference = OperationReference.gaussian(deviation: deviation)
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.blurred(radius: deviation) }
}

enum BlurLikeGaussian: PictureOperation {
    static let id = "blur-gaussian"
    static let what = "12 megapixels, Gaussian blur of σ 20, exact rivals"
    static let goal = 0.2
    static let turns = 5
    static let rivals = [
        OperationRival("OpenCV GaussianBlur", .openCV("blur")),
        OperationRival("libvips gaussblur", .vips("blur"), isCounted: false),
    ]
    static let reference = BlurLikeBoxes.reference
    static func ours(_ picture: Bitmap) throws -> Bitmap { try BlurLikeBoxes.ours(picture) }
}

// MARK: - Pixel by pixel

enum Premultiplication: PictureOperation {
    static let id = "premultiply"
    static let what = "12 megapixels, colours multiplied by alpha"
    static let goal = 1.3
    static let source = OperationSource.straight
    static let rivals = OperationRival.copies + OperationRival.others("premultiply")
    static let reference = OperationReference.pixels {
        [$0[0] * $0[3] / 255, $0[1] * $0[3] / 255, $0[2] * $0[3] / 255, $0[3]]
    }
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.converted(to: .rgba8Premultiplied) }
}

enum Swizzle: PictureOperation {
    static let id = "swizzle"
    static let what = "12 megapixels, red and blue exchanged"
    static let goal = 1.3
    static let rivals = OperationRival.copies + OperationRival.others("swizzle", vips: false, pillow: false)
    static let reference = OperationReference.pixels { [$0[2], $0[1], $0[0], $0[3]] }
    private static let filter = matrix([0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0])
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.filtered(by: filter) }
}

enum Tint: PictureOperation {
    static let id = "tint"
    static let what = "12 megapixels under a colour of half alpha"
    static let goal = 1.3
    static let rivals = OperationRival.copies + OperationRival.others("tint")
    private static let color = RGBAColor(red: 255, green: 128, blue: 0, alpha: 128)
    static let reference = OperationReference.pixels { pixel in
        let share = 128.0 / 255
        return zip(pixel, [255, 128, 0]).map { $0 * (1 - share) + $1 * share } + [pixel[3]]
    }
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.tinted(with: color, mode: .sourceAtop) }
}

enum MatrixFilter: PictureOperation {
    static let id = "color-matrix"
    static let what = "12 megapixels, colour matrix (sepia)"
    static let goal = 1.3
    static let rivals = OperationRival.copies + OperationRival.others("matrix", pillow: false)
    private static let rows: [[Double]] = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
    private static let filter = matrix(rows.flatMap { $0.map(Float.init) + [0, 0] } + [0, 0, 0, 1, 0])
    static let reference = OperationReference.pixels { pixel in
        rows.map { row in min(255, zip(row, pixel).reduce(0) { $0 + $1.0 * $1.1 }) } + [pixel[3]]
    }
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.filtered(by: filter) }
}

private func matrix(_ elements: [Float]) -> [ColorFilter] {
    ColorMatrix(elements).map { [.matrix($0)] } ?? []
}

// MARK: - Moved pixels

enum HorizontalFlip: PictureOperation {
    static let id = "flip"
    static let what = "12 megapixels, flipped from left to right"
    static let goal = 1.3
    static let rivals = OperationRival.copies + OperationRival.others("flip")
    static let reference = OperationReference.places { x, y, size in (size.width - 1 - x, y) }
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.flipped(horizontal: true, vertical: false) }
}

enum Cropping: PictureOperation {
    static let id = "crop"
    static let what = "12 megapixels, cropped to 3600×2700"
    static let goal = 1.3
    static let rivals = OperationRival.copies + OperationRival.others("crop")
    static let reference = OperationReference.places { x, y, _ in (x + 200, y + 150) }
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.cropped(columns: 200..<3800, rows: 150..<2850) }
}

enum QuarterTurn: PictureOperation {
    static let id = "rotate"
    static let what = "12 megapixels, turned by 90°"
    static let goal = 2.0
    static let rivals = OperationRival.copies + OperationRival.others("rotate")
    static let reference = OperationReference.places { x, y, size in (size.width - 1 - y, x) }
    static func ours(_ picture: Bitmap) throws -> Bitmap { try picture.rotated(by: .pi / 2) }
}
