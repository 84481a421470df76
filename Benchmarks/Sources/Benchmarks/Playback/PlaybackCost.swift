import WebImage

/// A format of animations.
protocol PlayedFormat: Sendable {
    static var format: ImageFormat { get }
    /// Of files.
    static var name: String { get }
}

enum PlayedGIF: PlayedFormat {
    static let format = ImageFormat.gif
    static let name = "gif"
}

enum PlayedAPNG: PlayedFormat {
    static let format = ImageFormat.png
    static let name = "apng"
}

enum PlayedWebP: PlayedFormat {
    static let format = ImageFormat.webP
    static let name = "webp"
}

/// Processor time of all threads per second of an animation in a window, against gdk-pixbuf's animation of the same
/// frames as GIF, which an app puts into a `GtkPicture`: for the worse of GTK's two renderers.
struct PlaybackCost<Played: PlayedFormat>: Benchmark {
    static var id: String { "play-\(Played.name)" }
    static var what: String { "a second of an animation of 480 × 270 pixels, \(Played.name)" }

    func run() async throws -> Measurement {
        let film = try SampleFilm()
        let (file, gif) = (try film.write(Played.format), try film.write(.gif))
        let costs = try Renderer.allCases.map { renderer in
            (renderer: renderer, numbers: try film.measure("playback cost", file, gif, renderer: renderer))
        }.sorted { $0.numbers[0] / $0.numbers[1] > $1.numbers[0] / $1.numbers[1] }
        let (ours, rival) = (costs[0].numbers[0], costs[0].numbers[1])
        let other = costs[1].numbers.map { "\(Int($0.rounded()))" }.joined(separator: " and ")
        return Measurement(
            id: Self.id, what: Self.what, ours: ours, unit: "ms",
            rival: "gdk-pixbuf's GIF by \(costs[0].renderer) (\(costs[1].renderer): \(other))", rivalValue: rival,
            ratio: ours / rival, goal: 1)
    }
}

/// The same against GTK alone, for which the textures of all frames are there: what it takes to draw them.
struct PlaybackAgainstTextures: Benchmark {
    static let id = "play-bare"
    static let what = "a second of the same, gif, by cairo"

    func run() async throws -> Measurement {
        let film = try SampleFilm()
        let numbers = try film.measure("playback bare", film.write(.gif), renderer: .cairo)
        return Measurement(
            id: Self.id, what: Self.what, ours: numbers[0], unit: "ms", rival: "GTK with textures that are there",
            rivalValue: numbers[1], ratio: numbers[0] / numbers[1], goal: 2)
    }
}

/// The same against GTK's own playback of the same frames as WebM, where it has a backend for that.
struct PlaybackAgainstVideo: Benchmark {
    static let id = "play-video"
    static let what = "a second of the same, gif"

    func run() async throws -> Measurement {
        guard try FrameProgram.run("playback has-video")[0] == 1 else {
            throw BenchmarkError("GTK has no backend for videos; install libgtk-4-media-gstreamer")
        }
        let film = try SampleFilm()
        let numbers = try film.measure("playback video", film.write(.gif), film.writeVideo(), renderer: .openGL)
        return Measurement(
            id: Self.id, what: Self.what, ours: numbers[0], unit: "ms", rival: "GtkMediaFile, the same as WebM",
            rivalValue: numbers[1], ratio: numbers[0] / numbers[1], goal: 0.5)
    }
}
