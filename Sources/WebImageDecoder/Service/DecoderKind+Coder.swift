import WebImageAVIF
import WebImageCoders
import WebImageCore
import WebImageHEIF
import WebImageIsolation
import WebImageJXL
import WebImagePDF
import WebImageSVG
import WebImageTIFF

#if VIDEO
    import WebImageVideo
#endif

extension DecoderKind {
    /// The kind's coder; nil where this program was built without it.
    package var coder: (any ImageCoder)? {
        switch self {
        case .jpeg: return .jpeg
        case .png: return .png
        case .webP: return .webP
        case .gif: return .gif
        case .bmp: return .bmp
        case .ico: return .ico
        case .tiff: return .tiff
        case .heif: return .heif
        case .avif: return .avif
        case .jxl: return .jpegXL
        case .svg: return .svg
        case .pdf:
            #if PDF
                return .pdf
            #else
                return nil
            #endif
        case .video:
            #if VIDEO
                return .video
            #else
                return nil
            #endif
        }
    }
}
