/// A linear map of premultiplied pixels that leaves alpha: three rows (red, green, blue) of factors for red, green, blue
/// and alpha.
struct PremultipliedMatrix: Sendable {
    let elements: [Float]
    /// Whether colours from 0 to alpha stay there.
    private let staysInBounds: Bool
    private let source: ColorMatrix

    /// Nil for a matrix that changes alpha.
    init?(_ matrix: ColorMatrix) {
        guard matrix.keepsAlpha else { return nil }
        source = matrix
        staysInBounds = matrix.staysInBounds
        // What is added to a straight channel is proportional to alpha in a premultiplied one, and so is the product
        // with alpha for opaque pixels, the only ones for which it matters.
        elements = (0..<3).flatMap { row in
            let numbers = matrix.elements[row * 5..<row * 5 + 5].map(\.self)
            return [numbers[0], numbers[1], numbers[2], numbers[3] + numbers[4]]
        }
    }

    /// The two steps as one, where nothing is cut off between them.
    func followed(by next: PremultipliedMatrix) -> PremultipliedMatrix? {
        staysInBounds ? PremultipliedMatrix(source.followed(by: next.source)) : nil
    }
}
