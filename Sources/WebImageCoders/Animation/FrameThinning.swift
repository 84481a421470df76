/// The frames of an animation that a file keeps. Readers show a frame that is shorter than some limit for 100 ms, so that a
/// fast animation would play several times too slowly: it loses frames instead, and none of its time.
struct FrameThinning {
    /// The frames to write, in order; always the first and the last.
    let indices: [Int]
    /// Their durations in milliseconds, whole units of the file.
    let durations: [Int]

    private struct Start {
        let index: Int
        let time: Int
    }

    /// - Parameters:
    ///   - milliseconds: The duration of each frame; at least one.
    ///   - unit: The milliseconds that the file counts in. Start times are rounded to it, so that errors do not add up.
    ///   - shortest: The fewest milliseconds of a frame, whole units.
    init(_ milliseconds: [Int], unit: Int, shortest: Int) {
        var (starts, end) = ([0], 0)
        for duration in milliseconds {
            end += duration
            starts.append((end + unit / 2) / unit * unit)
        }
        // A still picture has no time, nor has an animation whose author did not choose.
        guard milliseconds.count > 1, let total = starts.last, total > 0 else {
            indices = Array(milliseconds.indices)
            durations = milliseconds.count > 1 ? milliseconds.map { _ in FrameDuration.unchosen } : [starts[1]]
            return
        }
        let kept = Self.kept(starts, shortest)
        indices = kept.map(\.index)
        let ends = kept.dropFirst().map(\.time) + [max(total, (kept.last?.time ?? 0) + shortest)]
        durations = zip(kept, ends).map { $1 - $0.time }
    }

    /// - Parameter starts: The start of each frame, and the end of the last one.
    private static func kept(_ starts: [Int], _ shortest: Int) -> [Start] {
        var kept = [Start(index: 0, time: 0)]
        let (last, total) = (starts.count - 2, starts[starts.count - 1])
        func next(_ index: Int) -> Int { max(starts[index], kept[kept.count - 1].time + shortest) }
        // A frame whose time is over before the one in front of it was shown long enough is left out.
        for index in 1..<last where next(index) < starts[index + 1] {
            kept.append(Start(index: index, time: next(index)))
        }
        // An animation that plays once stays on its last frame.
        let time = max(shortest, min(next(last), total - shortest))
        while kept.count > 1, kept[kept.count - 1].time + shortest > time { kept.removeLast() }
        return kept + [Start(index: last, time: time)]
    }
}
