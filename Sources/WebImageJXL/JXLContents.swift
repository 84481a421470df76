import CJXL
import FoundationEssentials
import WebImageCore
import WebImagePixels

/// The properties of a JPEG XL file and its frames; pixels are not decoded.
struct JXLContents: Sendable {
    let header: JXLHeader
    let profileName: String?
    /// Milliseconds of each frame of an animation.
    private(set) var frameDurations: [Int] = []

    var frameCount: Int { max(1, frameDurations.count) }
    var isAnimated: Bool { frameDurations.count > 1 }
    var loopCount: Int { isAnimated ? header.playCount : 0 }

    /// - Parameter options: Of a file whose first frame alone is wanted, the contents have only that frame, however many
    ///   follow.
    /// - Throws: Also ``WebImageError/Code/truncatedImageData`` where more of the file is needed.
    init(of data: Data, options: ImageDecodeOptions) throws(WebImageError) {
        self = try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in try JXLContents(bytes, options) }
    }

    private init(_ bytes: UnsafeRawBufferPointer, _ options: ImageDecodeOptions) throws(WebImageError) {
        let decompressor = try JXLDecompressor(options: options, readsPixels: false)
        decompressor.setInput(bytes)
        header = try decompressor.readHeader()
        profileName = decompressor.originalProfileName
        guard let millisecondsPerTick = header.millisecondsPerTick else { return }
        while let ticks = try decompressor.readFrameHeader() {
            if options.decodesFirstFrameOnly, !frameDurations.isEmpty { continue }
            guard frameDurations.count < options.limits.maximumFrameCount else {
                throw .tooManyFrames(.jpegXL, options.limits)
            }
            frameDurations.append(Int(exactly: (Double(ticks) * millisecondsPerTick).rounded()) ?? 0)
        }
    }

    func geometry(_ options: ImageDecodeOptions) -> ThumbnailGeometry {
        header.geometry(frameCount: frameCount, options)
    }

    var properties: ImageProperties {
        ImageProperties(
            format: .jpegXL, pixelSize: header.orientation.apply(to: header.size), orientation: header.orientation,
            frameCount: frameCount, loopCount: loopCount,
            frameDurations: isAnimated ? frameDurations.map { .milliseconds($0) } : [],
            hasAlpha: header.hasAlpha, bitsPerChannel: header.bitsPerChannel, iccProfileName: profileName)
    }
}
