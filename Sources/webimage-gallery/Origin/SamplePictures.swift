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
        let names = Bundle.module.url(forResource: "Pictures", withExtension: nil)
            .flatMap { try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
        let samples = (names ?? []).sorted { $0.path < $1.path }.compactMap { file -> Sample? in
            guard let data = try? Data(contentsOf: file), ImageFormat(sniffing: data) != .undefined else { return nil }
            return Sample(name: file.lastPathComponent, data: data)
        }
        return SamplePictures(samples: samples)
    }
}
