import FoundationEssentials
import WebImage

// usage: ThumbnailProgram PICTURE    prints the memory that a thumbnail takes
//
// A server's work for one picture and nothing else: the process's memory is that of the library and the file.

do {
    var options = ImageDecodeOptions()
    options.thumbnailPixelSize = PixelSize(width: 300, height: 300)
    let file = try Data(contentsOf: URL(filePath: CommandLine.arguments[1]))
    let image = try ImageCodersManager.shared.decode(file, options: options)
    precondition(max(image.pixelSize.width, image.pixelSize.height) == 300, "the thumbnail has the wrong size")
    print(String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/status")), as: UTF8.self))
} catch {
    print(error)
}
