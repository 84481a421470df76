import Foundation
import WebImage

/// The picture files that come with the program.
nonisolated struct SamplePictures {
    struct Sample: Sendable {
        let name: String
        let data: Data
    }

    let samples: [Sample]

    /// All of them, by name; none where the program has lost its files.
    static func load(beside program: URL? = Bundle.main.executableURL) -> SamplePictures {
        let names = program.flatMap(folder).flatMap {
            try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        let samples = (names ?? []).sorted { $0.path < $1.path }.compactMap { file -> Sample? in
            guard let data = try? Data(contentsOf: file), ImageFormat(sniffing: data) != .undefined else { return nil }
            return Sample(name: file.lastPathComponent, data: data)
        }
        return SamplePictures(samples: samples)
    }

    /// The folder into which `make install` and a build put them. `Bundle.module` ends the program if they are missing.
    private static func folder(beside program: URL) -> URL? {
        let directory = program.resolvingSymlinksInPath().deletingLastPathComponent()
        return ["../share/webimage-gallery/pictures", "WebImage_webimage-gallery.resources/Pictures"]
            .map { directory.appending(path: $0).standardizedFileURL }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }
}
