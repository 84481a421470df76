import Foundation
import WebImageCore

/// The picture in place of an error's text.
struct FallbackPicture: Sendable {
    private let data: Data
    private let type: String

    init?(_ path: String?) throws(PictureServerError) {
        guard let path else { return nil }
        guard let data = FileManager.default.contents(atPath: path),
            let type = ImageFormat(sniffing: data).mimeType
        else { throw PictureServerError("fallback-image: \(path) is no picture that can be read") }
        self.data = data
        self.type = type
    }

    func answer(_ status: Int, _ seconds: Int) -> ServiceAnswer {
        ServiceAnswer(
            status: status, headers: [("Content-Type", type), ("Cache-Control", "public, max-age=\(seconds)")],
            body: data)
    }
}
