import WebImage
import WebImageCommandLine

/// One load as a text diagram: a line for each stage, with a bar from its beginning to its end.
///
///     http://host/a.jpg  in 12.3 ms
///       disk        0.1 ms  ▌                        miss
///       load       10.0 ms   ·▁▂▂▃▃▃▃░░░██████████   20.5 kB, h2, look-up 412 µs, connect 1.0 ms, TLS 2.1 ms
///       decode      2.1 ms                       ███ 1.2 MB of pixels
struct Waterfall: Sendable {
    /// One stage of the load; times are counted from the beginning of the load.
    struct Row: Sendable {
        let stage: LoadStageEvent.Stage
        let start: Duration
        var firstByte: Duration?
        var transfer: TransferParts?
        var end: Duration
        var outcome = ""

        /// The end of the wait for a server: the end of the stage, where a transfer has failed before its first byte.
        var waitEnd: Duration? { firstByte ?? (transfer == nil ? nil : end) }
    }

    let address: String
    private(set) var rows: [Row] = []
    private(set) var total = Duration.zero

    /// - Parameter events: All events of one load in their order; nil without any.
    init?(_ events: [LoadStageEvent]) {
        guard let first = events.first else { return nil }
        address = first.url.abbreviated.printable
        for event in events { note(event, at: first.instant.duration(to: event.instant)) }
    }

    private mutating func note(_ event: LoadStageEvent, at time: Duration) {
        total = time
        guard event.stage != .whole else { return }
        let index = rows.lastIndex { $0.stage == event.stage }
        switch event.phase {
        case .began: rows.append(Row(stage: event.stage, start: time, end: time))
        case .firstByte: if let index { rows[index].firstByte = time }
        case .ended(let ending, _):
            guard let index else { return }
            rows[index].end = time
            rows[index].transfer = event.transfer.map { TransferParts($0) }
            rows[index].outcome = [Self.words(ending, of: event.stage), rows[index].transfer?.text ?? ""]
                .filter { !$0.isEmpty }.joined(separator: ", ")
        }
    }

    private static func words(_ ending: LoadStageEvent.Outcome, of stage: LoadStageEvent.Stage) -> String {
        switch (ending, stage) {
        case (.missed, _): "miss"
        case (.failed(let error), _) where error.isCancelled: "cancelled"
        case (.failed(let error), _) where error.code == .cacheNotModified: "not modified"
        case (.failed(let error), _): error.statusCode.map { "failed, HTTP \($0)" } ?? "failed"
        case (.done(let bytes), .disk), (.done(let bytes), .original), (.done(let bytes), .memory):
            bytes.map { "hit, \(Quantity.bytes($0))" } ?? "hit, in memory"
        case (.done(let bytes?), .decode), (.done(let bytes?), .transform): "\(Quantity.bytes(bytes)) of pixels"
        case (.done(let bytes), _): bytes.map { Quantity.bytes($0) } ?? ""
        }
    }
}

// MARK: - Lines

extension Waterfall {
    private static let stageWidth = LoadStageEvent.Stage.allCases.map { "\($0)".count }.max() ?? 0
    private static let timeWidth = "999 ms".count
    /// A narrower bar says nothing.
    private static let leastBarWidth = 8

    /// The load as lines that fit into `columns`.
    func lines(columns: Int) -> [String] {
        // One column stays free: terminals differ in their behaviour after the last one.
        let width = max(1, columns - 1)
        let tail = "  in \(Quantity.duration(total))"
        let outcomeWidth = rows.map(\.outcome.columnCount).max() ?? 0
        let barWidth = width - 2 - Self.stageWidth - 2 - Self.timeWidth - 2 - 2 - outcomeWidth
        return [address.fitted(to: max(8, width - tail.columnCount)) + tail]
            + rows.map { line($0, barWidth: barWidth, width: width) }
    }

    private func line(_ row: Row, barWidth: Int, width: Int) -> String {
        let time = Quantity.duration(row.end - row.start).paddedLeft(to: Self.timeWidth)
        var line = "  \("\(row.stage)".padded(to: Self.stageWidth))  \(time)  "
        if barWidth >= Self.leastBarWidth { line += "\(bar(row, width: barWidth).padded(to: barWidth))  " }
        line = (line + row.outcome).fitted(to: width)
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }

    /// The length of a bar is its stage's duration in eighths of a character; its start is rounded to a whole one.
    private func bar(_ row: Row, width: Int) -> String {
        let eighths = { (time: Duration) in Int((fraction(of: time) * Double(width * 8)).rounded()) }
        let start = min(eighths(row.start) / 8, width - 1)
        let waiting = row.waitEnd.map { (eighths($0) - eighths(row.start)) / 8 } ?? 0
        let filled = max(1, eighths(row.end) - eighths(row.start)) - waiting * 8
        return String(repeating: " ", count: start) + wait(row, width: waiting)
            + String(repeating: "█", count: filled / 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][filled % 8]
    }

    /// The part of the bar until the first byte: in the queue, looking the host up, connecting, agreeing on keys, waiting.
    private func wait(_ row: Row, width: Int) -> String {
        guard width > 0, let transfer = row.transfer, let end = row.waitEnd else {
            return String(repeating: "░", count: width)
        }
        let wait = end - row.start
        return String((0..<width).map { transfer.character(at: wait * (Double($0) + 0.5) / Double(width)) })
    }

    private func fraction(of time: Duration) -> Double { total > .zero ? min(1, time / total) : 0 }
}
