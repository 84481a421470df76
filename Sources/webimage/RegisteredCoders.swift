import WebImage
import WebImageAVIF
import WebImageHEIF
import WebImageJXL
import WebImagePDF
import WebImageSVG
import WebImageTIFF

#if VIDEO
    import WebImageVideo
#endif

extension ImageCodersManager {
    /// Registers the coders that need a library of their own, for all commands: most only encode, and decode with
    /// `--isolation none`.
    static func registerAllCoders() {
        let coders: [any ImageCoder] = [TIFFCoder(), SVGCoder(), JXLCoder(), HEIFCoder(), AVIFCoder()]
        for coder in coders { shared.add(coder) }
        shared.isolation = .helper
        registerVideo()
        #if PDF
            shared.add(PDFCoder())
        #else
            shared.add(AbsentCoder(format: .pdf, advice: "build it with swift build --traits PDF"))
        #endif
    }

    private static func registerVideo() {
        #if VIDEO
            // It loads GStreamer for the first video only.
            shared.add(VideoCoder())
        #else
            let advice = "install libgstreamer-plugins-base1.0-dev and build it again"
            for format in [ImageFormat.webM, .mp4] { shared.add(AbsentCoder(format: format, advice: advice)) }
        #endif
    }
}
