import Glibc
import WebImageAVIF
import WebImageCoders
import WebImageCore
import WebImageHEIF
import WebImageJXL
import WebImagePDF
import WebImageSVG
import WebImageTIFF

// Runs hostile code, ordinary work and decodes in a process that is locked in, at one of the levels that a kernel may offer.
//
// usage: webimage-escape hostile LEVEL DIRECTORY [CANARY…]
//        webimage-escape ordinary LEVEL
//        webimage-escape decode LEVEL PRELOADED… -- FILE…
//        webimage-escape threads nothing FILE…
//        webimage-escape time LEVEL COUNT

func usage() -> Never {
    Worker.write("usage: webimage-escape hostile|ordinary|decode|threads|time LEVEL …\n", to: STDERR_FILENO)
    exit(2)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let level = EscapeLevel(rawValue: arguments[1]) else { usage() }

let coders: [any ImageCoder] = [TIFFCoder(), SVGCoder(), JXLCoder(), HEIFCoder(), AVIFCoder()]
for coder in coders { ImageCodersManager.shared.add(coder) }
#if PDF
    ImageCodersManager.shared.add(PDFCoder())
#endif

let rest = Array(arguments.dropFirst(2))
switch arguments[0] {
case "hostile":
    guard let directory = rest.first else { usage() }
    HostileRun(level: level, directory: directory).run(Array(rest.dropFirst()))
case "ordinary": OrdinaryRun(level: level).run()
case "decode":
    let parts = rest.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    guard parts.count == 2 else { usage() }
    DecodingRun(level: level, preloads: parts[0]).run(parts[1])
case "threads": DecodingRun.countThreads(rest)
case "time":
    guard let count = rest.first.flatMap({ Int($0) }) else { usage() }
    for separatesEach in [false, true] { TimingRun(level: level, separatesEach: separatesEach).run(count) }
default: usage()
}
