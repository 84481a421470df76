/// A linear map of premultiplied pixels that leaves alpha: three rows (red, green, blue) of factors for red, green, blue
/// and alpha.
struct PremultipliedMatrix: Sendable {
    let elements: [Float]
    /// Whether colours from 0 to alpha stay there.
    private let staysInBounds: Bool
    private let source: ColorMatrix

    /// Nil for a matrix that changes alpha, or in which alpha changes colours.
    init?(_ matrix: ColorMatrix) {
        guard matrix.keepsAlpha, matrix.ignoresAlpha else { return nil }
        source = matrix
        staysInBounds = matrix.staysInBounds
        // An addend of a straight channel is proportional to alpha in a premultiplied one.
        let places: [Int] = [0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14]
        elements = places.map { matrix.elements[$0] }
    }

    /// The two steps as one, where nothing is cut off between them.
    func followed(by next: PremultipliedMatrix) -> PremultipliedMatrix? {
        staysInBounds ? PremultipliedMatrix(source.followed(by: next.source)) : nil
    }
}
