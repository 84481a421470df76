import FoundationEssentials
import WebImageCore

/// The files in which a picture with a name is looked for.
package struct NamedImage {
    private let stem: String
    /// With the dot; empty without one.
    private let suffix: String
    private let hasScale: Bool

    /// - Parameter name: With or without folders, scale and extension.
    package init(_ name: String) {
        let start = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
        let dot = name[start...].lastIndex(of: ".").flatMap { dot in
            ImageFormat(fileExtension: String(name[name.index(after: dot)...])) == nil ? nil : dot
        }
        stem = String(name[..<(dot ?? name.endIndex)])
        suffix = String(name[(dot ?? name.endIndex)...])
        hasScale = URL(filePath: "/\(stem).png").scaleInFileName != nil
    }

    /// In the order of the search.
    ///
    /// - Parameter preferredScale: Pixels per point of the screen.
    package func fileNames(preferredScale: Double) -> [String] {
        let stems =
            hasScale ? [stem] : Self.scales(for: preferredScale).map { $0 == 1 ? stem : "\(stem)@\($0)x" }
        return suffixes.flatMap { suffix in stems.map { $0 + suffix } }
    }

    private var suffixes: [String] {
        guard suffix.isEmpty else { return [suffix] }
        return Self.otherExtensions.reduce(into: [".png"]) { $0.append(".\($1)") }
    }

    /// The scales of files, the best first.
    package static func scales(for preferredScale: Double) -> [Int] {
        // Not above the screen's by more than half: a window at 125 % shows a picture at 1 as sharp as it is.
        switch preferredScale.rounded() {
        case 2: [2, 3, 1]
        case 3...: [3, 2, 1]
        default: [1, 2, 3]
        }
    }

    /// `png` comes before them.
    private static let otherExtensions: [String] =
        ["jpg", "jpeg", "webp", "gif", "apng", "svg", "avif", "jxl", "heic", "tiff", "bmp", "ico"]

    /// The error for a name without a file.
    package static func notFound(_ name: String, in place: String) -> WebImageError {
        WebImageError(
            .fileNotFound, stage: .load, kind: .permanent,
            reason: "there is no picture named \(name.abbreviated(to: 100)) in \(place), with any scale and extension;"
                + " check the name, and that the app's resources were copied")
    }
}
