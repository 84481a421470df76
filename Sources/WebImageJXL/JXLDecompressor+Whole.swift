import FoundationEssentials
import WebImageCore

extension JXLDecompressor {
    /// The result of `read` for a whole file.
    ///
    /// libjxl 0.7 decodes each group as soon as its bytes have come, also those of newer encoders that precede what they
    /// depend on, which then seems damaged. So a file that fails in slices, or in several boxes, is given to it at once before
    /// it counts as that.
    static func withWhole<Result>(
        _ file: Data, _ options: ImageDecodeOptions, _ read: (JXLDecompressor) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        do throws(WebImageError) {
            return try attempt(file, options, takesAll: false, read)
        } catch {
            guard error.code == .badImageData, comesInParts(file) else { throw error }
            return try attempt(file.jpegXLCodestream, options, takesAll: true, read)
        }
    }

    /// Whether libjxl does not get the whole file at once.
    static func comesInParts(_ file: Data) -> Bool {
        file.count > sliceByteCount || JXLContainer.codestream(in: file).count > 1
    }

    private static func attempt<Result>(
        _ file: Data, _ options: ImageDecodeOptions, takesAll: Bool,
        _ read: (JXLDecompressor) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        try file.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let decompressor = try JXLDecompressor(options: options, takesAll: takesAll)
            decompressor.setInput(bytes)
            return try read(decompressor)
        }
    }
}
