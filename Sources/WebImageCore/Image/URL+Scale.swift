import FoundationEssentials

extension URL {
    /// The scale at the end of the file's name, before its extension, with or without decimals: 1.5 for
    /// `photo@1.5x.png`; nil where there is none, or one below 1.
    package var scaleInFileName: Double? {
        let name = lastPathComponent
        guard let dot = name.lastIndex(of: "."), let mark = name[..<dot].lastIndex(of: "@"), name[..<dot].hasSuffix("x")
        else { return nil }
        let number = name[name.index(after: mark)..<dot].dropLast()
        // `Double` would accept a sign, an exponent and `inf`.
        guard number.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let scale = Double(number),
            scale >= 1, scale.isFinite
        else { return nil }
        return scale
    }
}
