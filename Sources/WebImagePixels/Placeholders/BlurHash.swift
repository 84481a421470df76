import WebImageCore

/// A blurred picture as a short text of ASCII letters, by the format of Wolt (https://blurha.sh).
///
/// It has 1 to 9 × 1 to 9 cosine waves, in linear light and without alpha; 4 × 3 take 28 letters. Neither the size nor the
/// proportions of the picture are in it; ``ThumbHash`` has both proportions and alpha.
///
/// ```swift
/// let hash = try BlurHash(of: image.bitmap)
/// let placeholder = Image(bitmap: try hash.bitmap(size: PixelSize(width: 32, height: 24)))
/// ```
public struct BlurHash: Sendable, Hashable, CustomStringConvertible {
    /// The text, 6 to 166 letters.
    public let string: String
    /// The number of waves from left to right, 1 to 9, the constant one included.
    public let columns: Int
    /// The number of waves from top to bottom, 1 to 9, the constant one included.
    public let rows: Int

    /// The mean colour: red, green and blue of 8 bits each, red the highest.
    let meanCode: Int
    /// The largest amplitude, 0 to 82.
    let maximumCode: Int
    /// Red, green and blue of all waves but the constant one, in steps of 19.
    let waveCodes: [Int]

    /// The largest number of waves along a side.
    static let maximumWaves = 9
    /// The steps of one channel of a wave.
    static let waveSteps = 19

    /// Reads a text.
    ///
    /// - Throws: ``WebImageError/Code/badImageData`` for a text that is no BlurHash: of another length than its first
    ///   letter says, with a character that is none of the format's, or with a number beyond its range.
    public init(_ string: String) throws(WebImageError) {
        guard let values = Base83.values(of: string) else {
            throw .noBlurHash("it has a character that is none of its digits")
        }
        guard values.count >= 6 else {
            throw .noBlurHash("it has \(values.count) characters, and at least 6 are needed")
        }
        let (columns, rows) = (values[0] % Self.maximumWaves + 1, values[0] / Self.maximumWaves + 1)
        guard rows <= Self.maximumWaves else { throw .noBlurHash("its first character stands for no size") }
        let length = 4 + 2 * columns * rows
        guard values.count == length else {
            throw .noBlurHash(
                "\(columns) × \(rows) waves, as its first character has it, need \(length) characters, and it has "
                    + "\(values.count)")
        }
        meanCode = Base83.number(values[2..<6])
        waveCodes = stride(from: 6, to: length, by: 2).map { Base83.number(values[$0...$0 + 1]) }
        guard meanCode < 1 << 24, waveCodes.allSatisfy({ $0 < Self.waveSteps * Self.waveSteps * Self.waveSteps }) else {
            throw .noBlurHash("one of its numbers is too large")
        }
        maximumCode = values[1]
        self.string = string
        self.columns = columns
        self.rows = rows
    }

    /// The mean colour of the picture in linear light.
    public var averageColor: RGBAColor {
        RGBAColor(red: channel(16), green: channel(8), blue: channel(0))
    }

    /// The text.
    public var description: String { string }

    private func channel(_ shift: Int) -> UInt8 { UInt8(truncatingIfNeeded: meanCode >> shift) }
}

extension WebImageError {
    fileprivate static func noBlurHash(_ finding: String) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent, reason: "the text is no BlurHash: \(finding)")
    }
}
