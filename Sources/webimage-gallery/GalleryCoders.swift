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

    static func register() {
        #if VIDEO
            ImageCodersManager.shared.add(.video)
        #endif
        for coder in all { ImageCodersManager.shared.add(coder) }
    }
}
