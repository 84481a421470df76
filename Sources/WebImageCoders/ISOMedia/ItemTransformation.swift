import WebImageCore

/// A transformation that a HEIF or AVIF file applies to an item's pixels for display (ISO/IEC 23008-12 §6.5.9 to
/// §6.5.12).
package enum ItemTransformation: Sendable, Hashable {
    /// A part of the picture is shown.
    case crop(CleanAperture)
    /// Counter-clockwise.
    case rotation(quarterTurns: Int)
    case mirror(Mirror)

    package enum Mirror: Int, Sendable {
        case topToBottom = 0
        case leftToRight = 1
    }
}

/// The visible part of an item, as fractions (ISO/IEC 14496-12 §12.1.4.3).
package struct CleanAperture: Sendable, Hashable {
    package struct Fraction: Sendable, Hashable {
        package var numerator: Int
        package var denominator: Int

        package init(numerator: Int, denominator: Int) {
            self.numerator = numerator
            self.denominator = denominator
        }

        /// nil when the denominator is 0.
        var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
    }

    package var width: Fraction
    package var height: Fraction
    /// The horizontal distance from the item's centre to the part's centre, positive to the right.
    package var horizontalOffset: Fraction
    /// The vertical distance, positive downwards.
    package var verticalOffset: Fraction

    package init(width: Fraction, height: Fraction, horizontalOffset: Fraction, verticalOffset: Fraction) {
        self.width = width
        self.height = height
        self.horizontalOffset = horizontalOffset
        self.verticalOffset = verticalOffset
    }

    /// The whole pixels of a picture of `size`; nil where the part is not within it.
    func area(in size: PixelSize) -> PixelArea? {
        guard let columns = Self.range(of: width, horizontalOffset, in: size.width),
            let rows = Self.range(of: height, verticalOffset, in: size.height)
        else { return nil }
        return PixelArea(columns: columns, rows: rows)
    }

    private static func range(of length: Fraction, _ offset: Fraction, in whole: Int) -> Range<Int>? {
        guard let length = length.value, let offset = offset.value, length >= 1, length <= Double(whole) else {
            return nil
        }
        let start = (offset + (Double(whole) - length) / 2).rounded(.down)
        guard start >= 0, start + length <= Double(whole) else { return nil }
        return Int(start)..<Int(start + length)
    }
}

/// A rectangle of whole pixels.
package struct PixelArea: Sendable, Hashable {
    package var columns: Range<Int>
    package var rows: Range<Int>

    package init(columns: Range<Int>, rows: Range<Int>) {
        self.columns = columns
        self.rows = rows
    }

    /// All of a picture.
    package init(_ size: PixelSize) { self.init(columns: 0..<size.width, rows: 0..<size.height) }

    package var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }
}
