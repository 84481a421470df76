import WebImage

extension Corpus {
    /// How far the channels of `image`, which has straight stored pixels, are at most from the nearest of the pictures that
    /// the file's origin allows; nil when there is no such picture. What is clear in both counts as equal.
    package static func distance(of image: Image, toReferencesOf entry: Entry) throws -> Int? {
        let references = (entry.reference ?? "").split(separator: ";").map(String.init).filter { $0.hasSuffix(".png") }
        return try references.map { path in
            let reference = try PNGCoder().decode(data(at: path), options: .storedPixels)
            guard reference.pixelSize == image.pixelSize else { return Int.max }
            return largestDifference(shown(image.bitmap), shown(reference.bitmap))
        }.min()
    }

    /// The bytes of straight pixels, those of clear ones all 0.
    private static func shown(_ bitmap: Bitmap) -> [UInt8] {
        var bytes = bitmap.bytes
        for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] == 0 {
            for channel in 0..<3 { bytes[start + channel] = 0 }
        }
        return bytes
    }
}
