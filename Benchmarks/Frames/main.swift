import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK

// usage: webimage-frames SECONDS [--large] EFFECT…        with a display; GSK_RENDERER chooses the renderer.
// Prints for each effect the milliseconds of this process's processor time per frame of 1280 × 800, with pictures of
// that size or, with --large, of 10 megapixels, and the same for GTK alone drawing the pictures whole; and for "bind"
// the microseconds for binding a cell to a picture in memory, and for GTK alone showing a texture.
//
//        webimage-frames first-screen (network 10|24 | fill DIRECTORY | disk DIRECTORY | memory)
// Prints the figures of a first screen; see FirstScreen.
//
//        webimage-frames playback (cost FILE GIF | …)
// Prints the figures of animations; see Playback.
//
//        webimage-frames browser (flight | turn | grid | pan FILE)
// Prints the figures of the photo browser; see Browser.

//        webimage-frames opening TURNS FILE PROGRAM PROGRAM
// Prints how long two programs take to show a picture; see Opening.
//
// WEBIMAGE_ISOLATION=helper|all lets processes of their own decode, by the program of WEBIMAGE_DECODER.

let arguments = CommandLine.arguments.dropFirst()
func refuse() -> Never {
    print(
        "usage: webimage-frames SECONDS [--large] EFFECT… | \(FirstScreen.usage) | \(Playback.usage) | \(Browser.usage) | \(Opening.usage) (with a display)"
    )
    exit(2)
}
guard gtk_init_check() != 0, gdk_display_get_default() != nil else { refuse() }
// As in every program with views: delivers the results of other threads.
MainLoopBridge.install()
Isolation.begin()
if arguments.first == "first-screen" {
    guard try FirstScreen.run(Array(arguments.dropFirst())) else { refuse() }
    exit(0)
}
if arguments.first == "playback" {
    guard try Playback.run(Array(arguments.dropFirst())) else { refuse() }
    exit(0)
}
if arguments.first == "browser" {
    guard try Browser.run(Array(arguments.dropFirst())) else { refuse() }
    exit(0)
}
if arguments.first == "opening" {
    guard Opening.run(Array(arguments.dropFirst())) else { refuse() }
    exit(0)
}
guard let seconds = arguments.first.flatMap(Double.init) else { refuse() }
let names = arguments.dropFirst().filter { $0 != "--large" }
let isLarge = names.count < arguments.count - 1
let stage = try FrameStage(
    size: PixelSize(width: 1280, height: 800), pictureSize: isLarge ? PixelSize(width: 4000, height: 2500) : nil)
for name in names {
    if name == "bind" {
        let stage = try BindStage()
        let cost = stage.measure(seconds: seconds)
        let bare = try stage.measureBare(seconds: seconds)
        print("bind \(cost.microseconds) \(bare.microseconds)")
        continue
    }
    let effect = TransitionEffect.named(name)
    guard effect != nil || name == "still" else {
        print("webimage-frames: there is no effect \(name)")
        exit(2)
    }
    let cost = stage.measure(effect, seconds: seconds)
    let bare = stage.measureBare(seconds: seconds)
    print("\(name) \(cost.milliseconds) \(bare.milliseconds)")
}
