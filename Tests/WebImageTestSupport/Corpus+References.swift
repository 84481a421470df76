import FoundationEssentials
import Testing
import WebImage

/// What lossy formats are compared by: means of quadrants, and reference pictures.
extension Corpus {
    /// Valid files decode, to the size in the manifest and to colours whose means are those of another decoder.
    ///
    /// - Parameters:
    ///   - tolerance: Levels of 255 by which a mean may differ.
    package static func checkQuadrants(
        _ entry: Entry, by coder: some ImageCoder, tolerance: Double = 3, checksSize: Bool = true
    ) {
        let result = Result { () throws(WebImageError) in
            try coder.decode(data(at: entry.path), options: .storedPixels)
        }
        switch (entry.expectation, result) {
        case (.decodes, .success(let image)):
            if checksSize { #expect(image.pixelSize == entry.size) }
            for (mine, theirs) in zip(image.bitmap.quadrantMeans, entry.quadrants) {
                let difference = zip(mine, theirs).map { abs($0 - Double($1)) }.max() ?? 0
                #expect(difference <= tolerance, "means \(mine) instead of \(theirs)")
            }
        case (.decodes, .failure(let error)): Issue.record("a valid file is refused: \(error)")
        case (.rejects, .success): Issue.record("a broken file is accepted")
        case (.limits, .failure(let error)): #expect(error.code == .limitExceeded || error.code == .badImageData)
        default: break
        }
    }

    /// A reference picture of the corpus, as it is stored.
    package static func reference(_ path: String) throws -> Bitmap {
        try ImageCodersManager.shared.decode(data(at: path), options: .storedPixels).bitmap
    }
}

extension Corpus.Entry {
    /// The files that the decoded picture may be compared with.
    package var references: [String] { (reference ?? "").split(separator: ";").map(String.init) }
}
