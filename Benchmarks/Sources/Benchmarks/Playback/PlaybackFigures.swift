import WebImage

/// The longest delay of a frame at sixty frames a second: the worse of two formats that have such a rate.
struct PlaybackLateness: Benchmark {
    static let id = "play-late"
    static let what = "the longest delay of a frame at 60 frames/s"

    func run() async throws -> Measurement {
        let film = try SampleFilm(duration: .nanoseconds(16_666_667))
        let runs = try [ImageFormat.png, .webP].map { try film.measure("playback late", film.write($0)) }
            .sorted { $0[0] > $1[0] }
        return Measurement(
            id: Self.id, what: Self.what, ours: runs[0][0], unit: "ms", rival: "another format",
            rivalValue: runs[1][0], ratio: runs[0][0] / runs[1][0], ceiling: 4,
            notes: "more than 4 ms late or left out: \(runs.map { "\(($0[1] * 1000).rounded() / 10) %" })")
    }
}

/// Fifty views of ten animations against ten views of them.
struct PlaybackViews: Benchmark {
    static let id = "play-views"
    static let what = "a second of 50 views of 10 animations"

    func run() async throws -> Measurement {
        let film = try SampleFilm()
        let numbers = try film.measure("playback views", film.write(.gif))
        return Measurement(
            id: Self.id, what: Self.what, ours: numbers[0], unit: "ms", rival: "10 views", rivalValue: numbers[1],
            ratio: numbers[0] / numbers[1], goal: 1.3)
    }
}

/// An animation in a hidden window: nothing but the rounding of clocks.
struct PlaybackHidden: Benchmark {
    static let id = "play-hidden"
    static let what = "a second of an animation in a hidden window"

    func run() async throws -> Measurement {
        let film = try SampleFilm()
        let numbers = try film.measure("playback hidden", film.write(.gif))
        return Measurement(
            id: Self.id, what: Self.what, ours: numbers[0], unit: "ms", rival: "in a visible one",
            rivalValue: numbers[1], ratio: numbers[0] / numbers[1], ceiling: 0.5)
    }
}

/// Processor time of the main thread for a frame, without what GTK takes for a texture that is there.
struct PlaybackMainThread: Benchmark {
    static let id = "play-main-thread"
    static let what = "a frame of an animation, the main thread's share"

    func run() async throws -> Measurement {
        let film = try SampleFilm()
        let numbers = try film.measure("playback main", film.write(.gif))
        return Measurement(
            id: Self.id, what: Self.what, ours: max(numbers[0], numbers[1]), unit: "ms",
            rival: "setting a frame alone", rivalValue: numbers[0],
            ratio: max(numbers[0], numbers[1]) / numbers[0], ceiling: 0.3)
    }
}

/// The memory of pictures and frames while ten animations play, against a budget that is a third of what they take
/// without one.
struct PlaybackMemory: Benchmark {
    static let id = "play-memory"
    static let what = "pictures and frames of 10 animations, at most"

    func run() async throws -> Measurement {
        let film = try SampleFilm()
        let numbers = try film.measure("playback memory", film.write(.gif))
        return Measurement(
            id: Self.id, what: Self.what, ours: numbers[0], unit: "MB", rival: "the budget", rivalValue: numbers[1],
            ratio: numbers[0] / numbers[1], goal: 1)
    }
}
