import CGtk4
import FoundationEssentials
import WebImageGTK

/// Scrolls the grid to its end and back, repeatedly, at a constant speed, and measures meanwhile.
final class AutoScroll {
    private let grid: PictureGrid
    private let speed: Double
    private let start = ContinuousClock.now
    private let duration: Double?
    private var lastFrame: Int64?
    private var intervals: [Double] = []
    private var direction = 1.0
    private var report = ScrollReport()
    private let appearances = Appearances()

    /// - Parameters:
    ///   - speed: Points per second.
    ///   - duration: Seconds that it will last; nil for unknown.
    init(_ grid: PictureGrid, speed: Double, duration: Double?) {
        self.grid = grid
        self.speed = speed
        self.duration = duration
        MainThreadTime.isMeasured = true
        grid.appearances = appearances
        _ = FrameTicks(of: grid.widget, isOwn: false) { [weak self] _ in
            guard let self else { return false }
            step()
            return true
        }
    }

    /// All measurements so far.
    func result() -> ScrollReport {
        var report = report
        report.seconds = elapsed
        report.frames = intervals.count
        report.frameInterval = intervals.quantile(0.95)
        report.bindsFromMemory = appearances.bindTimes.count
        report.bindTime = appearances.bindTimes.quantile(0.5)
        report.appearances = appearances.count
        report.drawnAtOnce = appearances.drawnAtOnce
        report.memory = ResidentMemory.megabytes
        return report
    }

    private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

    /// A frame begins.
    private func step() {
        appearances.settle()
        let spent = Double(MainThreadTime.take()) / 1e6
        guard let clock = gtk_widget_get_frame_clock(grid.widget) else { return }
        let now = Int64(gdk_frame_clock_get_frame_time(clock))
        defer { lastFrame = now }
        guard let lastFrame else { return }
        let interval = Double(now - lastFrame) / 1000
        intervals.append(interval)
        report.longestStall = max(report.longestStall, spent)
        if spent > 16 { report.stalls += 1 }
        if report.memoryHalfWay == 0, let duration, elapsed > duration / 2 {
            report.memoryHalfWay = ResidentMemory.megabytes
        }
        scroll(by: speed * interval / 1000)
    }

    private func scroll(by points: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(grid.widget))
        let value = gtk_adjustment_get_value(adjustment)
        let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        if value + direction * points > end { direction = -1 }
        if value + direction * points < 0 { direction = 1 }
        gtk_adjustment_set_value(adjustment, value + direction * points)
        report.points += abs(gtk_adjustment_get_value(adjustment) - value)
    }
}

nonisolated extension [Double] {
    /// The smallest value that `part` of all values do not exceed; 0 for none.
    func quantile(_ part: Double) -> Double {
        isEmpty ? 0 : sorted()[Swift.min(count - 1, Int(Double(count) * part))]
    }
}

/// The resident memory of this process.
nonisolated enum ResidentMemory {
    static var megabytes: Double {
        guard let status = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return 0 }
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (kilobytes ?? 0) / 1024
    }
}
