import FoundationEssentials
import WebImage
import WebImageAVIF

// usage: PixelsProgram PICTURE PIXELS    writes all pixels of a picture to a file
//
// Other libraries start such a program for each picture.

do {
    let arguments = CommandLine.arguments
    let file = try Data(contentsOf: URL(filePath: arguments[1]))
    let coder = ImageCodersManager(coders: ImageCodersManager.shared.coders + [.avif])
    let image = try coder.decode(file, options: ImageDecodeOptions())
    try image.bitmap.withUnsafeBytes { Data($0) }.write(to: URL(filePath: arguments[2]))
} catch {
    print(error)
}
