import FoundationEssentials
import WebImageCore

/// Finds the orientation in an XMP packet; some programs write it there instead of in EXIF.
///
/// XMP has it as an attribute, `tiff:Orientation="6"`, or as an element, `<tiff:Orientation>6</tiff:Orientation>` (XMP
/// part 1 §7.4, part 2 §3.3). EXIF has precedence where both are present.
package enum XMPOrientation {
    /// The orientation in the packet `data`; nil when it has none.
    package static func find(in data: Data) -> ImageOrientation? {
        guard let name = data.firstRange(of: Data("tiff:Orientation".utf8)) else { return nil }
        let value = data[name.upperBound...].prefix(maximumGap).drop { between.contains($0) }
        guard let digit = value.first, !isDigit(value.dropFirst().first) else { return nil }
        return ImageOrientation(rawValue: Int(digit) - Int(UInt8(ascii: "0")))
    }

    /// Characters allowed between the name and the number: `="`, `='`, `>` and white space.
    private static let between = Set("=\"'> \t\r\n".utf8)
    private static let maximumGap = 32

    private static func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}
