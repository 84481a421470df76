import FoundationEssentials
import WebImageCore

/// Warns once for each document that is drawn without some of its pictures.
final class SVGOmissionLog: Sendable {
    static let shared = SVGOmissionLog()

    private let known = RecentChecksums()
    private static let typeCount = 3

    /// - Parameter data: The document's file.
    func warn(of omissions: [SVGOmission], in data: Data) {
        guard !omissions.isEmpty, known.insert(XXH3.checksum(of: data.bytes)) else { return }
        WebImageLog.warn(Self.message(omissions))
    }

    private static func message(_ omissions: [SVGOmission]) -> String {
        let types = Set(omissions.map(\.mediaType)).sorted()
        let names = types.prefix(typeCount).joined(separator: ", ") + (types.count > typeCount ? ", …" : "")
        return
            "an SVG is drawn without \(omissions.count) of the pictures in its data: URLs (\(names)): only JPEG, PNG, GIF, "
            + "WebP and SVG are drawn"
    }
}
