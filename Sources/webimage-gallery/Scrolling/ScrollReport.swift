import FoundationEssentials

/// What came out of scrolling.
struct ScrollReport: Codable {
    /// Points that were scrolled, and the time that it took.
    var points = 0.0
    var seconds = 0.0
    var frames = 0
    /// Milliseconds from one frame to the next, of which 95 of 100 were shorter.
    var frameInterval = 0.0
    /// The most milliseconds of processor time that the library took of the main thread between two frames, and how often
    /// they were more than 16.
    var longestStall = 0.0
    var stalls = 0
    /// Cells bound to a picture that memory had, and the microseconds that binding half of them took at most.
    var bindsFromMemory = 0
    var bindTime = 0.0
    /// Cells that came into sight, or were bound there, with a picture that memory had; and how many of them were drawn
    /// with it in that very frame.
    var appearances = 0
    var drawnAtOnce = 0
    /// Megabytes that the process held after the first half and at the end.
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
