import CPixels
import WebImageCore

extension Bitmap {
    /// The pixels with their colours changed by filters, one after the other, in one pass.
    ///
    /// Uses all processors; blocks; any thread.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    public func filtered(by filters: [ColorFilter]) throws(WebImageError) -> Bitmap {
        try applying(filters.map(\.step))
    }

    /// The pixels under a colour.
    ///
    /// Uses all processors; blocks; any thread.
    /// - Parameters:
    ///   - color: The colour. A fully transparent one changes nothing, as in SDWebImage.
    ///   - mode: The way in which it is drawn. By default, the picture becomes a template of this colour.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    public func tinted(with color: RGBAColor, mode: BlendMode = .sourceIn) throws(WebImageError) -> Bitmap {
        try applying([.tint(color, mode)])
    }

    /// The pixels after several steps.
    func applying(_ steps: [ColorStep]) throws(WebImageError) -> Bitmap {
        let steps = steps.filter { !$0.changesNothing }.map { $0.matching(colorSpace) }.withJoinedMatrices
        guard !steps.isEmpty else { return self }
        if let matrices = steps.matrices(for: self) { return try applying(matrices) }
        if let curves = steps.curves(for: self) { return try applying(curves) }
        let program = ColorProgram(steps, for: self)
        return try mapped { source, strip throws(WebImageError) in
            try program.fill(strip, from: source, isOpaque: isOpaque)
        }
    }

    private func applying(_ matrices: [PremultipliedMatrix]) throws(WebImageError) -> Bitmap {
        let elements = matrices.flatMap(\.elements)
        return try mapped { source, strip in
            for y in strip.rows {
                webimage_apply_matrices(
                    source.row(y).assumingMemoryBound(to: UInt8.self), elements, matrices.count,
                    strip.row(y).assumingMemoryBound(to: UInt8.self), size.width)
            }
            return isOpaque
        }
    }

    private func applying(_ curves: [ToneCurve]) throws(WebImageError) -> Bitmap {
        let table = (0..<256).map { number in
            UInt8((curves.reduce(Double(number) / 255) { $1.value($0).clamped(to: 0...1, orElse: 0) } * 255).rounded())
        }
        let tables = table + table + table
        return try mapped { source, strip in
            for y in strip.rows {
                webimage_apply_tables(
                    source.row(y).assumingMemoryBound(to: UInt8.self), tables,
                    strip.row(y).assumingMemoryBound(to: UInt8.self), size.width)
            }
            return true
        }
    }
}

extension ColorStep {
    fileprivate var changesNothing: Bool {
        if case .tint(let color, _) = self { color.alpha == 0 } else { false }
    }

    /// The step as a matrix for pixels of a bitmap, where it is one.
    fileprivate func matrix(for bitmap: Bitmap) -> ColorMatrix? {
        switch self {
        case .matrix(let matrix) where matrix.keepsAlpha: matrix
        case .tint(let color, let mode) where keepsOpacity && bitmap.isOpaque: mode.matrix(under: color)
        case .tint(let color, .sourceIn) where color.alpha == 255: BlendMode.sourceIn.matrix(under: color)
        default: nil
        }
    }
}

extension BlendMode {
    /// The effect of a colour on opaque pixels as a matrix, where it is one.
    fileprivate func matrix(under color: RGBAColor) -> ColorMatrix? {
        let color = color.premultipliedFloats.map(Double.init)
        let (source, through) = (Array(color[..<3]), 1 - color[3])
        let same = { (factor: Double, offsets: [Double]) in
            ColorMatrix([factor, 0, 0, 0, factor, 0, 0, 0, factor], plus: offsets)
        }
        return switch self {
        case .normal, .sourceAtop: same(through, source)
        case .copy, .sourceIn: same(0, source)
        case .multiply: ColorMatrix(diagonal: source.map { $0 + through }, plus: [0, 0, 0])
        case .screen: ColorMatrix(diagonal: source.map { 1 - $0 }, plus: source)
        case .exclusion: ColorMatrix(diagonal: source.map { 1 - 2 * $0 }, plus: source)
        case .plusLighter: same(1, source)
        case .destination, .destinationOver, .destinationIn, .destinationAtop: same(1, [0, 0, 0])
        default: nil
        }
    }
}

extension ColorMatrix {
    fileprivate init(diagonal: [Double], plus offsets: [Double]) {
        self.init([diagonal[0], 0, 0, 0, diagonal[1], 0, 0, 0, diagonal[2]], plus: offsets)
    }
}

extension [ColorStep] {
    /// The steps with neighbouring matrices as one, where the first leaves nothing to cut off between them.
    var withJoinedMatrices: [ColorStep] {
        reduce(into: []) { steps, next in
            if case .matrix(let first) = steps.last, case .matrix(let second) = next, first.keepsAlpha,
                second.keepsAlpha, first.staysInBounds
            {
                steps[steps.count - 1] = .matrix(first.followed(by: second))
            } else {
                steps.append(next)
            }
        }
    }

    /// The steps as matrices for premultiplied pixels of 8 bits, as few as possible; nil when one step is no matrix.
    fileprivate func matrices(for bitmap: Bitmap) -> [PremultipliedMatrix]? {
        guard bitmap.format.depth == .eight, bitmap.format.isPremultiplied || bitmap.isOpaque else { return nil }
        var matrices: [PremultipliedMatrix] = []
        for step in self {
            guard let matrix = step.matrix(for: bitmap), let next = PremultipliedMatrix(matrix) else { return nil }
            if let joined = matrices.last?.followed(by: next) {
                matrices[matrices.count - 1] = joined
            } else {
                matrices.append(next)
            }
        }
        return matrices
    }

    /// The steps as curves for opaque pixels of 8 bits; nil when one step is none.
    fileprivate func curves(for bitmap: Bitmap) -> [ToneCurve]? {
        guard bitmap.format.depth == .eight, bitmap.isOpaque else { return nil }
        let curves = compactMap { step -> ToneCurve? in
            if case .curve(let curve) = step { curve } else { nil }
        }
        return curves.count == count ? curves : nil
    }
}
