import Foundation
import WebImage

/// The frames of a file, each decoded when it is asked for, in the size and the colours of the first one.
final class RowsFrames: AnimatedImageProvider {
    let loopCount = 0
    private let header: RowsHeader
    private let data: Data
    private let options: ImageDecodeOptions

    init(_ header: RowsHeader, of data: Data, options: ImageDecodeOptions) {
        self.header = header
        self.data = data
        var options = options
        options.cancellation = nil  // frames are wanted after the load
        self.options = options
    }

    var frameCount: Int { header.frameCount }
    var animatedImageData: Data? { data }

    func frame(at index: Int) throws(WebImageError) -> Bitmap {
        guard (0..<frameCount).contains(index) else { throw .damaged("frame \(index) is not there") }
        return try options.image(of: header.picture) { y, row throws(WebImageError) in
            row.withUnsafeMutableBytes { $0.copyBytes(from: header.row(y, frame: index, in: data)) }
        }.bitmap
    }

    func duration(at index: Int) -> Duration { .milliseconds(100) }

    func preloadAllFrames() {}
}

extension RowsCoder: AnimatedImageCoder {
    func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        RowsFrames(try RowsHeader(ofFile: data), of: data, options: options)
    }
}
