import WebImage
import WebImageAVIF
import WebImageHEIF
import WebImageJXL
import WebImageSVG
import WebImageTIFF

#if VIDEO
    import WebImageVideo
#endif

/// The formats of the program, besides those that the library itself has.
nonisolated enum GalleryCoders {
    static let all: [any ImageCoder] = [TIFFCoder(), SVGCoder(), JXLCoder(), HEIFCoder(), AVIFCoder()]

    /// Registers them.
    ///
    /// - Parameter isolation: Which pictures are decoded in processes of their own.
    static func register(_ isolation: DecoderIsolation) {
        #if VIDEO
            ImageCodersManager.shared.add(.video)
        #endif
        for coder in all { ImageCodersManager.shared.add(coder) }
        ImageCodersManager.shared.isolation = isolation
        if isolation != .inProcess { start(isolation) }
    }

    /// Whether the program shows files of `format`: PDF only where it was built with the trait, as `webimage-decoder` was.
    static func canDecode(_ format: ImageFormat) -> Bool {
        #if !PDF
            if format == .pdf { return false }
        #endif
        return ImageCodersManager.shared.canDecode(format)
    }

    /// Starts the helper program while GTK starts. Where it is missing, the first picture that needs it says so.
    private static func start(_ isolation: DecoderIsolation) {
        JobQueue(label: "webimage-gallery.isolation", limit: 1).submit { _ = try? isolation.status() }
    }
}
