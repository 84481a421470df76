import WebImage

/// From the call that opens a browser to the first frame of its flight.
struct BrowserFlight: Benchmark {
    static let id = "browser-flight"
    static let what = "from the call to the first frame of the flight"

    func run() async throws -> Measurement {
        try BrowserFrames.measure(Self.id, Self.what, "browser flight", against: BrowserFrames.bare, ceiling: 16)
    }
}

/// A turn to a photo that is in memory, to the frame that shows it.
struct BrowserTurn: Benchmark {
    static let id = "browser-turn"
    static let what = "a turn to a photo in memory, to its frame"

    func run() async throws -> Measurement {
        try BrowserFrames.measure(Self.id, Self.what, "browser turn", against: BrowserFrames.bare, ceiling: 17)
    }
}

/// The main thread's time for a frame of a grid of 10,000 thumbnails that scrolls while they load.
struct BrowserGrid: Benchmark {
    static let id = "browser-grid"
    static let what = "10,000 thumbnails at 4,000 points/s, 95 % of frames"

    func run() async throws -> Measurement {
        try BrowserFrames.measure(
            Self.id, Self.what, "browser grid", against: "a GtkGridView with pictures that are there", ceiling: 16)
    }
}

/// Processor time for a frame of panning and zooming over a gigapixel.
struct BrowserPan: Benchmark {
    static let id = "browser-pan"
    static let what = "a frame of a pan over a gigapixel, processor time"

    func run() async throws -> Measurement {
        try BrowserFrames.measure(
            Self.id, Self.what, "browser pan \(try LargePicture.path())", against: BrowserFrames.bare, ceiling: 12)
    }
}

/// A process with a window in which a gigapixel is walked over.
struct BrowserMemory: Benchmark {
    static let id = "browser-memory"
    static let what = "a window with a gigapixel, peak memory of the process"

    func run() async throws -> Measurement {
        let numbers = try FrameProgram.run("browser memory \(try LargePicture.path())", renderer: .openGL)
        return Measurement(
            id: Self.id, what: Self.what, ours: numbers[0], unit: "MB", rival: "a window with a GtkPicture",
            rivalValue: numbers[1], ratio: numbers[0] / numbers[1], ceiling: 300)
    }
}

private enum BrowserFrames {
    static let bare = "a GtkPicture that gets another texture"

    static func measure(
        _ id: String, _ what: String, _ command: String, against rival: String, ceiling: Double
    ) throws -> Measurement {
        // GTK's usual renderer.
        let numbers = try FrameProgram.run(command, renderer: .openGL)
        return Measurement(
            id: id, what: what, ours: numbers[0], unit: "ms", rival: rival,
            rivalValue: numbers[1], ratio: numbers[0] / numbers[1], ceiling: ceiling)
    }
}
