import WebImage

/// The progress of one picture, as a line.
package struct ProgressBar: Sendable, Equatable {
    package var label: String
    package var receivedByteCount: Int
    /// 0 to 1; nil while the total is unknown.
    package var fraction: Double?
    /// The work on the bytes that have come; nil while they come.
    package var activity: String?
    /// Since the activity began.
    package var elapsed = Duration.zero

    package init(label: String, receivedByteCount: Int = 0, fraction: Double? = nil) {
        self.label = label
        self.receivedByteCount = receivedByteCount
        self.fraction = fraction
    }

    /// `photo.jpg      [=========>          ]  45%  1.2 MB` or `photo.jpg  writing HEIC, 12 s`, at most `columns` wide.
    func line(columns: Int) -> String {
        if let activity {
            let head = label.fitted(to: max(8, min(40, columns / 3)))
            return "\(head)  \(activity), \(elapsed.components.seconds) s".fitted(to: columns)
        }
        let bytes = receivedByteCount > 0 ? Quantity.bytes(receivedByteCount) : "waiting"
        let tail = bytes.paddedLeft(to: 9)
        let labelWidth = max(8, min(40, columns / 3))
        let head = label.fitted(to: labelWidth).padded(to: labelWidth)
        guard let fraction else { return "\(head)  \(tail)".fitted(to: columns) }
        let percent = "\(Int(fraction * 100))%".paddedLeft(to: 4)
        let width = min(40, columns - labelWidth - 20)
        guard width >= 5 else { return "\(head)  \(percent)  \(tail)".fitted(to: columns) }
        let filled = Int(fraction * Double(width))
        let arrow = String(repeating: "=", count: filled) + (filled < width ? ">" : "")
        return "\(head)  [\(arrow.padded(to: width))] \(percent) \(tail)".fitted(to: columns)
    }
}

/// The progress lines at the bottom of a terminal: the current lines, and the control sequences (ECMA-48) that replace
/// them. A value without side effects.
struct ProgressScreen {
    private var lines: [String] = []

    /// Replaces the current lines by `bars`, cut to the terminal's size.
    mutating func draw(_ bars: [ProgressBar], columns: Int, rows: Int) -> String {
        let erase = self.erase(columns: columns)
        // One column stays free: terminals differ in their behaviour after the last one. One row is the cursor's.
        lines = bars.prefix(max(0, rows - 1)).map { $0.line(columns: columns - 1).withoutControls }
        return erase + text
    }

    /// The control sequences before and after a line that is printed above the progress.
    func makeRoom(columns: Int) -> (erase: String, redraw: String) { (erase(columns: columns), text) }

    private var text: String { lines.map { $0 + "\n" }.joined() }

    /// A terminal that has become narrower has wrapped the lines.
    private func erase(columns: Int) -> String {
        guard !lines.isEmpty else { return "" }
        let rows = lines.reduce(0) { $0 + max(1, ($1.columnCount + columns - 1) / max(1, columns)) }
        return "\u{1B}[\(rows)A\r\u{1B}[J"
    }
}
