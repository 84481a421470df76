import Glibc
import WebImage
import WebImageAVIF
import WebImageHEIF
import WebImageJXL
import WebImageSVG
import WebImageTIFF

let coders: [any ImageCoder] = [TIFFCoder(), SVGCoder(), JXLCoder(), HEIFCoder(), AVIFCoder()]
for coder in coders { ImageCodersManager.shared.add(coder) }
let outcome = GalleryOptions.parse(CommandLine.arguments)
exit(outcome.run().rawValue)
