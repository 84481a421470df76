import WebImage
import WebImageCommandLine

/// Reports what was done with a cache, as text or as JSON.
struct CacheTeller {
    let report: ReportOptions
    let console: Console
    let directory: String

    private struct UsageRecord: Encodable {
        let directory: String
        let entries: Int
        let bytes: Int
    }

    func tell(_ usage: DiskCacheUsage) { tell(usage, "") }

    func tell(removed usage: DiskCacheUsage) { tell(usage, "removed ") }

    private func tell(_ usage: DiskCacheUsage, _ verb: String) {
        tell(UsageRecord(directory: directory, entries: usage.count, bytes: usage.byteCount)) {
            "\(directory.printable): \(verb)\(usage.text)"
        }
    }

    /// Prints a record as JSON, or the text, or nothing.
    func tell(_ record: some Encodable, text: () -> String) {
        if report.isJSON {
            console.printLine(JSON.line(record))
        } else if !report.isQuiet {
            console.printLine(text())
        }
    }

    /// Prints a failure.
    func tell(_ failure: some Encodable, error: String) {
        console.printError(error)
        if report.isJSON { console.printLine(JSON.line(failure)) }
    }
}

extension DiskCacheUsage {
    /// `2 pictures, 20.5 kB`.
    var text: String { "\(count) \(count == 1 ? "picture" : "pictures"), \(Quantity.bytes(byteCount))" }
}
