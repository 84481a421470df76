import FoundationEssentials
import Synchronization
import WebImage
import WebImageCommandLine

/// File names for one directory: derived from the URLs, safe, and unique.
///
/// Names are assigned in the order of the URLs, so that they do not depend on the order in which loads end; only a
/// picture whose format differs from its URL may get another name. Safe to use from any thread.
final class OutputNames: Sendable {
    private let expected: [String]
    private let taken: Mutex<UniqueNames>

    /// - Parameter format: The format of all files; nil when each keeps its own.
    init(urls: some Sequence<URL>, format: ImageFormat?) {
        var names = UniqueNames()
        expected = urls.map { url in
            let (stem, suffix) = Self.split(url)
            return names.insert(stem, format?.fileExtension ?? suffix)
        }
        taken = Mutex(names)
    }

    /// The name of the picture's file as far as its URL tells.
    func expectedName(at index: Int) -> String { expected[index] }

    /// The name for the picture of the URL at `index`, whose actual format is `format`.
    func name(at index: Int, format: ImageFormat) -> String {
        let (stem, suffix) = expected[index].nameAndExtension
        if ImageFormat(fileExtension: suffix) == format { return expected[index] }
        return taken.withLock { $0.insert(stem, format.fileExtension ?? "") }
    }

    /// The maximum number of bytes of a name without extension: the limit of file systems, minus room for numbers and
    /// extensions.
    private static let longestStem = 200

    private static func split(_ url: URL) -> (stem: String, extension: String) {
        // The last component of the path / is / itself.
        let last = url.hasScheme("data") || url.path() == "/" ? "" : url.lastPathComponent
        let clean = String(last.unicodeScalars.filter { !$0.isControl }.map { $0 == "/" ? "_" : Character($0) })
        let (name, suffix) = clean.drop { $0 == "." || $0.isWhitespace }.nameAndExtension
        let isPictures = ImageFormat(fileExtension: suffix) != nil
        var stem = isPictures || suffix.isEmpty ? name : "\(name).\(suffix)"
        while stem.utf8.count > longestStem { stem.removeLast() }
        return (stem.isEmpty ? "image" : stem, isPictures ? suffix : "")
    }
}

/// The assigned names.
private struct UniqueNames {
    private var taken: Set<String> = []
    /// For each name that was requested more than once, the number to try next.
    private var numbers: [String: Int] = [:]

    /// Inserts `stem.suffix`, or the first free one of `stem-2.suffix`, `stem-3.suffix`…
    mutating func insert(_ stem: String, _ suffix: String) -> String {
        let end = suffix.isEmpty ? "" : ".\(suffix)"
        let wanted = stem + end
        var name = wanted
        var number = numbers[wanted] ?? 2
        while !taken.insert(name).inserted {
            name = "\(stem)-\(number)\(end)"
            number += 1
            numbers[wanted] = number
        }
        return name
    }
}
