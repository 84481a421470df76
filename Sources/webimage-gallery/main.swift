import Glibc
import WebImage
import WebImageAVIF
import WebImageHEIF
import WebImageJXL
import WebImageSVG
import WebImageTIFF

#if VIDEO
    import WebImageVideo
#endif

let coders: [any ImageCoder] = [TIFFCoder(), SVGCoder(), JXLCoder(), HEIFCoder(), AVIFCoder()]
#if VIDEO
    ImageCodersManager.shared.add(.video)
#endif
for coder in coders { ImageCodersManager.shared.add(coder) }
let outcome = GalleryOptions.parse(CommandLine.arguments)
exit(outcome.run().rawValue)
