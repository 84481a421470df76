import CPixels
import WebImageCore

extension Bitmap {
    /// The pixels made from their neighbours by a kernel; edges are extended. Alpha is treated like a colour
    /// whose weights sum to 1, and stays where they sum to 0.
    ///
    /// Uses all processors; blocks; any thread.
    /// - Parameter cancellation: Ends the work soon after it is raised; nil, the default, for work that is done to its end.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory, ``WebImageError/Code/cancelled``.
    public func convolved(
        with kernel: ConvolutionKernel, cancellation: CancellationFlag? = nil
    ) throws(WebImageError) -> Bitmap {
        try withPremultipliedPixels { bitmap throws(WebImageError) in
            let convolution = Convolution(kernel, of: bitmap, cancellation: cancellation)
            return try bitmap.mapped(unless: cancellation) { source, strip throws(WebImageError) in
                try convolution.fill(strip, from: source)
                return bitmap.isOpaque
            }
        }
    }

    /// The pixels moved away from blurred ones, which makes edges stronger: an unsharp mask.
    ///
    /// Uses all processors; blocks; any thread.
    /// - Parameters:
    ///   - radius: The standard deviation of the blur in pixels.
    ///   - amount: The factor for the difference.
    ///   - threshold: The smallest difference of a channel that counts, 0 to 1.
    ///   - cancellation: Ends the work soon after it is raised; nil, the default, for work that is done to its end.
    /// - Throws: ``WebImageError/Code/invalidOperation`` when a number is NaN, ``WebImageError/Code/limitExceeded`` when
    ///   there is no memory, ``WebImageError/Code/cancelled``.
    public func sharpened(
        radius: Double = 1, amount: Double = 0.5, threshold: Double = 0, cancellation: CancellationFlag? = nil
    ) throws(WebImageError) -> Bitmap {
        guard !radius.isNaN, Float(amount).isFinite, !threshold.isNaN else {
            throw .invalidOperation("radius, amount and threshold of an unsharp mask must be numbers")
        }
        guard radius > Self.leastBlurRadius else { return self }
        return try withPremultipliedPixels { bitmap throws(WebImageError) in
            let blur = GaussianBlur(
                bitmap, deviation: min(radius, Self.largestBlurRadius), cancellation: cancellation)
            let (type, width, isOpaque) = (bitmap.format.channelType, bitmap.size.width, bitmap.isOpaque)
            let limit = Float(max(0, threshold)) * bitmap.format.maximum
            return try bitmap.mapped(
                stripHeight: blur.stripHeight, unless: cancellation
            ) { source, strip throws(WebImageError) in
                let row = try FloatRows(width: width, count: 1).row
                let floats = row(0)
                try blur.withRows(of: strip.rows, from: source) { y, blurred in
                    webimage_load_floats(source.row(y), type, floats, width)
                    webimage_sharpen(floats, blurred, Float(amount), limit, width)
                    webimage_store_floats(floats, type, !isOpaque, strip.row(y), width)
                }
                return isOpaque
            }
        }
    }
}

/// The sums of a ``ConvolutionKernel``.
private struct Convolution {
    private let kernel: ConvolutionKernel
    private let format: PixelFormat
    private let size: PixelSize
    private let isOpaque: Bool
    /// Weights of rows as the kernel has them, for sums from the left.
    private let rows: [[Float]]
    private let cancellation: CancellationFlag?

    init(_ kernel: ConvolutionKernel, of bitmap: Bitmap, cancellation: CancellationFlag?) {
        self.cancellation = cancellation
        self.kernel = kernel
        format = bitmap.format
        size = bitmap.size
        isOpaque = bitmap.isOpaque
        rows = (0..<kernel.height).map { Array(kernel.weights[$0 * kernel.width..<($0 + 1) * kernel.width]) }
    }

    func fill(_ strip: RowStrip, from source: SourceRows) throws(WebImageError) {
        let padded = try PaddedRows(size: size, reach: kernel.width / 2, count: kernel.height, format: format)
        let sums = try FloatRows(width: size.width, count: 2)
        let reach = kernel.height / 2
        for y in strip.rows {
            let pixels = sums.row(0)
            pixels.update(repeating: 0, count: size.width * 4)
            for (index, weights) in rows.enumerated() {
                try cancellation?.check()
                let row = padded.row(min(max(0, y + index - reach), size.height - 1), from: source)
                webimage_sum_neighbours(row, weights, weights.count, sums.row(1), size.width)
                webimage_add_weighted(sums.row(1), 1, pixels, size.width * 4)
            }
            webimage_finish_convolution(
                padded.row(y, from: source) + kernel.width / 2 * 4, kernel.sum, kernel.bias, pixels, size.width)
            webimage_store_floats(pixels, format.channelType, !isOpaque, strip.row(y), size.width)
        }
    }
}

/// The latest rows of a picture as floats, extended at both ends. One thread at a time.
private final class PaddedRows {
    private let rows: FloatRows
    private let size: PixelSize
    private let reach: Int
    private let format: PixelFormat
    private var numbers: [Int]

    init(size: PixelSize, reach: Int, count: Int, format: PixelFormat) throws(WebImageError) {
        rows = try FloatRows(width: size.width + 2 * reach, count: count)
        self.size = size
        self.reach = reach
        self.format = format
        numbers = Array(repeating: -1, count: count)
    }

    /// Row `y`, from `reach` pixels before its first one.
    func row(_ y: Int, from source: SourceRows) -> UnsafePointer<Float> {
        let slot = y % numbers.count
        let row = rows.row(slot)
        guard numbers[slot] != y else { return UnsafePointer(row) }
        numbers[slot] = y
        webimage_load_floats(source.row(y), format.channelType, row + reach * 4, size.width)
        let end = row + (reach + size.width - 1) * 4
        for index in 0..<reach {
            (row + index * 4).update(from: row + reach * 4, count: 4)
            (end + (index + 1) * 4).update(from: end, count: 4)
        }
        return UnsafePointer(row)
    }
}
