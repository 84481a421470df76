import FoundationEssentials

/// The measurements of a scroll run.
struct ScrollReport: Codable {
    /// The scrolled points, and the time taken.
    var points = 0.0
    var seconds = 0.0
    var frames = 0
    /// The 95th percentile of the milliseconds from one frame to the next.
    var frameInterval = 0.0
    /// The maximum of the library's processor time on the main thread between two frames, in milliseconds, and the
    /// number of times it exceeded 16.
    var longestStall = 0.0
    var stalls = 0
    /// Cells bound to a picture in memory, and the median binding time in microseconds.
    var bindsFromMemory = 0
    var bindTime = 0.0
    /// Cells that became visible, or were bound while visible, with a picture in memory; and how many of them were
    /// drawn with it in that very frame.
    var appearances = 0
    var drawnAtOnce = 0
    /// Megabytes of the process after the first half and at the end.
    var memoryHalfWay = 0.0
    var memory = 0.0

    /// One line for a terminal.
    var summary: String {
        let share = appearances == 0 ? 100 : Double(drawnAtOnce) / Double(appearances) * 100
        return """
            scrolled \(Int(points)) points in \(seconds.short) s: \(frames) frames, 95 % within \(frameInterval.short) ms; \
            the library took at most \(longestStall.short) ms of one, \(stalls) times more than 16; \
            \(bindsFromMemory) binds from memory, \(bindTime.short) µs each; \(appearances) cells appeared with a picture \
            from memory, \(share.short) % drawn at once; \(memoryHalfWay.short) MB half-way, \(memory.short) MB at the end
            """
    }
}

nonisolated extension Double {
    /// With one decimal place.
    fileprivate var short: String { "\((self * 10).rounded() / 10)" }
}
