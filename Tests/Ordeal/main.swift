import Dispatch
import FoundationEssentials
import Glibc
import WebImage
import WebImageAVIF
import WebImageHEIF
import WebImageJXL
import WebImagePDF
import WebImageSVG
import WebImageTIFF

// Takes files through everything that an app may do with them, while the kernel watches memory and processor time: it
// ends the program where a file takes too much, and the last line tells which file that was, and how it was read.
//
// usage: webimage-ordeal PIXELS MEGABYTES SECONDS FILE…

guard CommandLine.arguments.count > 4, let pixels = Int(CommandLine.arguments[1]),
    let megabytes = UInt(CommandLine.arguments[2]), let seconds = UInt(CommandLine.arguments[3])
else {
    Budget.say("usage: webimage-ordeal PIXELS MEGABYTES SECONDS FILE…")
    exit(2)
}

let coders: [any ImageCoder] = [TIFFCoder(), SVGCoder(), JXLCoder(), HEIFCoder(), AVIFCoder()]
for coder in coders { ImageCodersManager.shared.add(coder) }
#if PDF
    ImageCodersManager.shared.add(PDFCoder())
#endif

/// Memory of a program that has read nothing yet, most of it libraries and the stacks of threads.
let baseline = Budget.addressSpace()
Budget.limitMemory(to: baseline + megabytes << 20)
var limits = ImageLimits()
limits.maximumPixelCount = pixels
let rider = Rider(limits: limits)
for path in CommandLine.arguments.dropFirst(4) {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
        Budget.say("unreadable \(path)")
        exit(2)
    }
    for road in Road.allCases {
        Budget.say("\(road) \(path)")
        Budget.allowProcessorTime(seconds)
        rider.takeOnSmallStack(data, by: road)
    }
}
Budget.say("survived, \(Budget.peakMegabytes()) MB at most")
