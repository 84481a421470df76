import FoundationEssentials

extension URL {
    /// Pixels per point that the file's name says right before its extension, with or without decimals: 1.5 for
    /// `photo@1.5x.png`; nil where it says none, or less than 1.
    var scaleInFileName: Double? {
        let name = lastPathComponent
        guard let dot = name.lastIndex(of: "."), let mark = name[..<dot].lastIndex(of: "@"), name[..<dot].hasSuffix("x")
        else { return nil }
        let number = name[name.index(after: mark)..<dot].dropLast()
        // `Double` would take a sign, an exponent and `inf`.
        guard number.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let scale = Double(number),
            scale >= 1, scale.isFinite
        else { return nil }
        return scale
    }
}
