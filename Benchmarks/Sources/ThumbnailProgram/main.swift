import FoundationEssentials
import WebImage

// usage: ThumbnailProgram PICTURE           prints the memory that a thumbnail takes
//        ThumbnailProgram PICTURE PIXELS    writes all pixels
//
// A server's work for one picture and nothing else: the process's memory is that of the library and the file.

do {
    var options = ImageDecodeOptions()
    let arguments = CommandLine.arguments
    if arguments.count == 2 { options.thumbnailPixelSize = PixelSize(width: 300, height: 300) }
    let file = try Data(contentsOf: URL(filePath: arguments[1]))
    let image = try ImageCodersManager.shared.decode(file, options: options)
    if arguments.count == 2 {
        precondition(max(image.pixelSize.width, image.pixelSize.height) == 300, "the thumbnail has the wrong size")
        print(String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/status")), as: UTF8.self))
    } else {
        let pixels = image.bitmap.withUnsafeBytes { Data($0) }
        try pixels.write(to: URL(filePath: arguments[2]))
    }
} catch {
    print(error)
}
