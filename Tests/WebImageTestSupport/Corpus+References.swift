import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore

/// Comparisons for lossy formats: means of quadrants, and reference pictures.
extension Corpus {
    /// Valid files decode to the size in the manifest and to the mean colours of another decoder.
    ///
    /// - Parameters:
    ///   - tolerance: The allowed difference of a mean, in levels of 255.
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

    /// A reference picture of the corpus, without orientation.
    package static func reference(_ path: String) throws -> Bitmap {
        try ImageCodersManager.shared.decode(data(at: path), options: .storedPixels).bitmap
    }
}

extension Corpus.Entry {
    /// The files to compare the decoded picture with.
    package var references: [String] { (reference ?? "").split(separator: ";").map(String.init) }
}
