import Dispatch
import FoundationEssentials
import Glibc
import WebImageAVIF
import WebImageCoders
import WebImageCore
import WebImageIsolation
import WebImageJXL
import WebImagePDF
import WebImageTIFF

// Decodes files in every way that an app may, under the kernel's limits of memory and processor time: the kernel kills
// the program at a file that takes too much, and the last line names that file and the way of decoding.
//
// usage: webimage-ordeal PIXELS MEGABYTES SECONDS here|isolated FILE…
//        isolated: all formats in processes of their own; else those alone whose libraries trust files

guard CommandLine.arguments.count > 5, let pixels = Int(CommandLine.arguments[1]),
    let megabytes = UInt(CommandLine.arguments[2]), let seconds = UInt(CommandLine.arguments[3]),
    ["here", "isolated"].contains(CommandLine.arguments[4])
else {
    Budget.say("usage: webimage-ordeal PIXELS MEGABYTES SECONDS here|isolated FILE…")
    exit(2)
}

if CommandLine.arguments[4] == "isolated" {
    ImageCodersManager.shared.isolation = .all
} else {
    let trustful = [DecoderKind.heif, .svg].map { IsolatedCoder(kind: $0, source: DecoderPrograms.of(.helper)) }
    let coders: [any ImageCoder] = [TIFFCoder(), JXLCoder(), AVIFCoder()] + trustful
    for coder in coders { ImageCodersManager.shared.add(coder) }
    #if PDF
        ImageCodersManager.shared.add(PDFCoder())
    #endif
}

// Before the limits, which its processes would have as well. They have no sanitizer's system calls.
if !Budget.isSanitized, (try? DecoderIsolation.helper.status()) == nil {
    Budget.say("webimage-decoder is missing")
    exit(2)
}

/// The memory of the program before it reads a file, mostly libraries and thread stacks.
let baseline = Budget.addressSpace()
Budget.limitMemory(to: baseline + megabytes << 20)
var limits = ImageLimits()
limits.maximumPixelCount = pixels
limits.maximumDecodeMemory = Int(megabytes) << 20
let rider = Rider(limits: limits)
for path in CommandLine.arguments.dropFirst(5) {
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
