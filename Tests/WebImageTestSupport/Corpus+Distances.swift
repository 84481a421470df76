import WebImageCoders
import WebImageCore

extension Corpus {
    /// The largest channel difference of `image`, which has straight stored pixels, from the nearest of the pictures
    /// that the file's origin allows; nil without such a picture. Pixels that are transparent in both count as equal.
    package static func distance(of image: Image, toReferencesOf entry: Entry) throws -> Int? {
        let references = (entry.reference ?? "").split(separator: ";").map(String.init).filter { $0.hasSuffix(".png") }
        return try references.map { path in
            let reference = try PNGCoder().decode(data(at: path), options: .storedPixels)
            guard reference.pixelSize == image.pixelSize else { return Int.max }
            return largestDifference(shown(image.bitmap), shown(reference.bitmap))
        }.min()
    }

    /// The bytes of straight pixels, with 0 for transparent ones.
    private static func shown(_ bitmap: Bitmap) -> [UInt8] {
        var bytes = bitmap.bytes
        for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] == 0 {
            for channel in 0..<3 { bytes[start + channel] = 0 }
        }
        return bytes
    }
}
