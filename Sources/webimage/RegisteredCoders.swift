import WebImage
import WebImageAVIF
import WebImageHEIF
import WebImageJXL
import WebImagePDF
import WebImageSVG
import WebImageTIFF

extension ImageCodersManager {
    /// Registers the coders that need a library of their own, for all commands.
    static func registerAllCoders() {
        let coders: [any ImageCoder] = [TIFFCoder(), SVGCoder(), JXLCoder(), HEIFCoder(), AVIFCoder()]
        for coder in coders { shared.add(coder) }
        #if PDF
            shared.add(PDFCoder())
        #else
            shared.add(AbsentCoder(format: .pdf, advice: "build it with swift build --traits PDF"))
        #endif
    }
}
