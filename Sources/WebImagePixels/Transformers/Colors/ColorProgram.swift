import CPixels
import WebImageCore

/// Several ``ColorStep``s as one pass over a bitmap.
struct ColorProgram: Sendable {
    fileprivate enum Operation: Sendable {
        case premultiply
        case unpremultiply
        /// Takes colours from invisible straight pixels.
        case clear
        /// Of straight pixels.
        case matrix([Float])
        /// Several of premultiplied pixels.
        case matrices([Float])
        case curve([Float])
        case power(Float)
        case lookupTable(ColorLookupTable)
        case vibrance(Float)
        case vignette(inner: Float, intensity: Float)
        case tint([Float], webimage_blend_mode)
    }

    private let operations: [Operation]
    private let format: PixelFormat
    private let size: PixelSize
    /// Whether opaque pixels stay opaque.
    private let keepsOpacity: Bool

    /// - Parameters:
    ///   - steps: The steps in order.
    ///   - bitmap: The bitmap to change.
    init(_ steps: [ColorStep], for bitmap: Bitmap) {
        format = bitmap.format
        size = bitmap.size
        keepsOpacity = steps.allSatisfy(\.keepsOpacity)
        var alpha = AlphaState(isPremultiplied: format.isPremultiplied, isOpaque: bitmap.isOpaque)
        var operations: [Operation] = []
        for step in steps {
            if !format.isFloatingPoint, case .matrix(let matrix) = step, let matrix = PremultipliedMatrix(matrix),
                alpha.isPremultiplied || alpha.isOpaque
            {
                operations.append(matrix)
                continue
            }
            if let change = alpha.change(to: step.alpha) { operations.append(change ? .premultiply : .unpremultiply) }
            // An invisible pixel may become visible: its colour counts as black, as in a premultiplied bitmap.
            if !step.keepsOpacity && !alpha.isPremultiplied { operations += [.premultiply, .unpremultiply] }
            operations.append(Self.operation(step))
            alpha.isOpaque = alpha.isOpaque && step.keepsOpacity
        }
        if let change = alpha.change(to: format.isPremultiplied ? .premultiplied : .straight) {
            operations.append(change ? .premultiply : .unpremultiply)
        }
        if !format.isPremultiplied, !alpha.isOpaque { operations.append(.clear) }
        self.operations = operations
    }

    private static func operation(_ step: ColorStep) -> Operation {
        switch step {
        case .matrix(let matrix): .matrix(matrix.elements)
        case .curve(.gamma(let power)): .power(Float(power))
        case .curve(let curve): .curve(curve.table(Int(WEBIMAGE_TONE_COUNT)))
        case .lookupTable(let table): .lookupTable(table)
        case .vibrance(let amount): .vibrance(amount)
        case .vignette(let inner, let intensity): .vignette(inner: inner, intensity: intensity)
        case .tint(let color, let mode): .tint(color.premultipliedFloats, mode.operation)
        }
    }

    /// Fills a strip of the result, and returns whether all of its pixels are opaque.
    func fill(_ strip: RowStrip, from source: SourceRows, isOpaque: Bool) throws(WebImageError) -> Bool {
        let block = try FloatRows(width: Int(WEBIMAGE_BLOCK_LENGTH), count: 2)
        for y in strip.rows {
            for x in stride(from: 0, to: size.width, by: Int(WEBIMAGE_BLOCK_LENGTH)) {
                let count = min(Int(WEBIMAGE_BLOCK_LENGTH), size.width - x)
                let offset = x * format.bytesPerPixel
                webimage_load_block(source.row(y) + offset, format.channelType, count, block.row(0))
                for operation in operations {
                    apply(operation, to: block.row(0), count: count, x: x, y: y, scratch: block.row(1))
                }
                webimage_store_block(block.row(0), format.channelType, count, strip.row(y) + offset)
            }
        }
        return isOpaque && keepsOpacity
    }

    private func apply(
        _ operation: Operation, to block: UnsafeMutablePointer<Float>, count: Int, x: Int, y: Int,
        scratch: UnsafeMutablePointer<Float>
    ) {
        switch operation {
        case .premultiply: webimage_block_premultiply(block, count)
        case .unpremultiply: webimage_block_unpremultiply(block, count)
        case .clear: webimage_block_clear(block, count)
        case .matrix(let elements): webimage_block_matrix(block, count, elements, !format.isFloatingPoint)
        case .matrices(let elements): webimage_block_matrices(block, count, elements, elements.count / 12)
        case .curve(let table):
            for plane in 0..<3 { webimage_plane_curve(block + plane * Int(WEBIMAGE_BLOCK_LENGTH), count, table) }
        case .power(let power):
            for plane in 0..<3 { webimage_plane_power(block + plane * Int(WEBIMAGE_BLOCK_LENGTH), count, power) }
        case .lookupTable(let table): webimage_block_cube(block, count, table.colors, table.side)
        case .vibrance(let amount): webimage_block_vibrance(block, count, amount, !format.isFloatingPoint)
        case .vignette(let inner, let intensity):
            let place = VignettePlace(x: x, y: y, in: size)
            webimage_block_vignette(block, count, place.x, place.step, place.y, inner, intensity)
        case .tint(let color, let mode):
            webimage_block_fill(color, count, scratch)
            webimage_block_blend(scratch, mode, count, block)
        }
    }
}

extension [ColorProgram.Operation] {
    /// Neighbouring matrices are one operation.
    fileprivate mutating func append(_ matrix: PremultipliedMatrix) {
        if case .matrices(let elements) = last {
            self[count - 1] = .matrices(elements + matrix.elements)
        } else {
            append(.matrices(matrix.elements))
        }
    }
}

/// The kind of alpha between two steps.
private struct AlphaState {
    var isPremultiplied: Bool
    var isOpaque: Bool

    /// The conversion before a step: true to premultiply, false for the opposite, nil for none.
    mutating func change(to needed: ColorStep.NeededAlpha) -> Bool? {
        let target =
            switch needed {
            case .any: isPremultiplied
            case .straight: false
            case .premultiplied: true
            }
        guard target != isPremultiplied else { return nil }
        isPremultiplied = target
        // Opaque pixels are the same in both.
        return isOpaque ? nil : target
    }
}

/// The place of a pixel for a vignette, from the centre, in units of half a diagonal.
private struct VignettePlace {
    let x: Float
    let step: Float
    let y: Float

    init(x: Int, y: Int, in size: PixelSize) {
        let (width, height) = (Double(size.width), Double(size.height))
        let unit = 2 / (width * width + height * height).squareRoot()
        self.x = Float((Double(x) + 0.5 - width / 2) * unit)
        step = Float(unit)
        self.y = Float((Double(y) + 0.5 - height / 2) * unit)
    }
}

extension RGBAColor {
    /// Red, green, blue, alpha, from 0 to 1, colours multiplied by alpha.
    var premultipliedFloats: [Float] {
        let opacity = Float(alpha) / 255
        return [red, green, blue].map { Float($0) / 255 * opacity } + [opacity]
    }
}
