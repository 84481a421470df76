import WebImage
import WebImageCommandLine

/// The report of one picture's hash, as JSON or as a line.
struct HashRecord: PictureRecord {
    let url: String
    /// The operand as typed.
    let given: String
    let kind: String
    var hash: String?
    var average: String?
    var palette: [PaletteColor]?
    var error: ErrorRecord?

    struct PaletteColor: Encodable, Sendable {
        let color: String
        /// 0 to 1.
        let share: Double
    }

    init(_ operand: Operand, _ kind: HashKind) {
        url = operand.address
        given = operand.given
        self.kind = kind.rawValue
    }

    mutating func take(_ finding: HashFinding) {
        switch finding {
        case .text(let text): hash = text
        case .colors(let mean, let colors):
            average = mean.webText
            palette = colors.map { PaletteColor(color: $0.color.webText, share: ($0.share * 1000).rounded() / 1000) }
        }
    }

    /// `HASH  NAME`, as sha256sum prints it; `AVERAGE  COLOR SHARE COLOR SHARE…  NAME`.
    func text(name: String) -> String {
        let colors = palette?.map { "\($0.color) \(Int(($0.share * 100).rounded()))%" }.joined(separator: " ")
        return [hash, average, colors, name].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "  ")
    }
}

extension RGBAColor {
    /// `#rrggbb`, and `#rrggbbaa` for one that is not opaque, as on the web.
    fileprivate var webText: String {
        "#" + ([red, green, blue] + (alpha == .max ? [] : [alpha])).map(Self.twoDigits).joined()
    }

    private static func twoDigits(_ channel: UInt8) -> String {
        (channel < 16 ? "0" : "") + String(channel, radix: 16)
    }
}
