import FoundationEssentials

/// The collection of real and hostile pictures that lies beside the package on the machines that have it. Suites that
/// need it say so by `.needsCorpus`.
package enum Corpus {
    /// The required result of a decoder for a file.
    package enum Expectation: String, Sendable {
        case decodes, optional, tolerant, rejects, limits
    }

    /// One picture, a row of `MANIFEST.tsv`. Empty cells are nil.
    package struct Entry: CustomStringConvertible, Sendable {
        package let path: String
        package let format: String
        package let width: Int?
        package let height: Int?
        package let frameCount: Int?
        package let loopCount: Int?
        package let orientation: Int?
        package let expectation: Expectation
        package let category: String
        package let reference: String?
        /// The mode of comparison with the references, from the manifest's README.
        package let referenceMode: String?
        /// SHA-256 of frame 0 as straight RGBA, without conversion and rotation, in hexadecimal digits.
        package let pixelDigest: String?
        /// The number of decoders that agree on the digest; only 2 or more make it exact.
        package let digestAgreement: Int
        /// Mean red, green, blue, alpha of each stored quadrant: top left, top right, bottom left, bottom right.
        package let quadrants: [[Int]]
        package let note: String

        package var description: String { path }
    }

    package static var isPresent: Bool { !entries.isEmpty }

    /// All inputs, in the manifest's order; empty without a corpus.
    package static let entries: [Entry] = text(of: "MANIFEST.tsv").map(parse) ?? []

    /// The inputs of a format, by their bytes instead of their names: `jpeg`, `png`, `apng`, `gif`, `webp`.
    package static func entries(of format: String, _ expectation: Expectation? = nil) -> [Entry] {
        entries.filter { $0.format == format && (expectation == nil || $0.expectation == expectation) }
    }

    /// The bytes of a file; empty when it does not exist.
    package static func data(at path: String) -> Data {
        (try? Data(contentsOf: root.appending(path: path))) ?? Data()
    }

    /// A text file of the corpus; nil when it does not exist.
    package static func text(of path: String) -> String? {
        (try? Data(contentsOf: root.appending(path: path))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The paths of all files in some of its folders, in order; none without a corpus.
    package static func files(in folders: [String]) -> [String] {
        folders.flatMap { folder in
            let directory = root.appending(path: folder).path()
            let found = (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? []
            return found.sorted().map { "\(directory)/\($0)" }.filter {
                var isDirectory: Bool = false
                return FileManager.default.fileExists(atPath: $0, isDirectory: &isDirectory) && !isDirectory
            }
        }
    }

    private static let root: URL = {
        var package = URL(filePath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return package.deletingLastPathComponent().appending(path: "shared/corpus")
    }()

    private static func parse(_ manifest: String) -> [Entry] {
        let lines = manifest.split(separator: "\n")
        guard let header = lines.first else { return [] }
        let names = header.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        return lines.dropFirst().compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return entry(Dictionary(zip(names, cells)) { first, _ in first }.filter { !$0.value.isEmpty })
        }
    }

    private static func entry(_ cells: [String: String]) -> Entry? {
        guard cells["role"] == "input", let path = cells["path"],
            let expectation = cells["expect"].flatMap(Expectation.init)
        else { return nil }
        return Entry(
            path: path, format: cells["format"] ?? "", width: cells["width"].flatMap { Int($0) },
            height: cells["height"].flatMap { Int($0) }, frameCount: cells["frames"].flatMap { Int($0) },
            loopCount: cells["loop"].flatMap { Int($0) }, orientation: cells["orientation"].flatMap { Int($0) },
            expectation: expectation, category: cells["category"] ?? "", reference: cells["reference"],
            referenceMode: cells["reference_mode"],
            pixelDigest: cells["rgba8_sha256"], digestAgreement: cells["rgba8_agree"].flatMap { Int($0) } ?? 0,
            quadrants: quadrants(cells["quad_rgba"] ?? ""), note: cells["note"] ?? "")
    }

    /// `ff0000ff,…`: four colours of eight hexadecimal digits.
    private static func quadrants(_ text: String) -> [[Int]] {
        text.split(separator: ",").map { color in
            let value = UInt32(color, radix: 16) ?? 0
            return [24, 16, 8, 0].map { Int(value >> UInt32($0) & 255) }
        }
    }
}
