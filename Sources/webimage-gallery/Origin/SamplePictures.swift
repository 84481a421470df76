import Foundation
import WebImage

/// The picture files that come with the program.
nonisolated struct SamplePictures {
    struct Sample: Sendable {
        let name: String
        let data: Data
    }

    let samples: [Sample]

    /// All of them, by name.
    @MainActor static func load() -> SamplePictures {
        let folder = installedFolder ?? Bundle.module.url(forResource: "Pictures", withExtension: nil)
        let names = folder.flatMap {
            try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        let samples = (names ?? []).sorted { $0.path < $1.path }.compactMap { file -> Sample? in
            guard let data = try? Data(contentsOf: file), ImageFormat(sniffing: data) != .undefined else { return nil }
            return Sample(name: file.lastPathComponent, data: data)
        }
        return SamplePictures(samples: samples)
    }

    /// Where `make install` puts them; nil for a program that was not installed.
    private static var installedFolder: URL? {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let folder = program.deletingLastPathComponent().appending(path: "../share/webimage-gallery/pictures")
        return FileManager.default.fileExists(atPath: folder.path) ? folder.standardizedFileURL : nil
    }
}
