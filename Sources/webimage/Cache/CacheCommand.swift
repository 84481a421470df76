import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage cache`: tells what the disk cache holds, and empties it.
struct CacheCommand: Command {
    static let name = "cache"
    static let summary = "Tell what the cache holds, or empty it"
    static let synopsis = ["stats [OPTION…]", "clear [OPTION…]"]
    static var options: [CommandOption<Self>] {
        [.value("cache", .text("DIR"), \.cacheDirectory, help: "the cache's directory")]
    }
    static let notes = """
        The usual cache is webimage in the directory that XDG_CACHE_HOME names, or in ~/.cache. It keeps the files that came
        from the network, for a week after they were used last.

        With --json the line is an object: directory, entries and bytes, which for clear are what was removed.
        """

    private enum Action: String, CaseIterable { case stats, clear }

    var report = ReportOptions()
    var cacheDirectory: String?
    private var action = Action.stats

    init() {}

    mutating func prepare(operands: [String]) throws(UsageError) {
        guard operands.count == 1, let action = operands.first.flatMap(Action.init) else {
            throw UsageError("say what to do: webimage cache stats or webimage cache clear")
        }
        self.action = action
    }

    func run(on console: Console) async -> ExitCode {
        let cache = DiskCache(directory: cacheDirectory ?? ImageCache.defaultDirectory)
        let usage: DiskCacheUsage
        do throws(WebImageError) {
            try cache.checkReadable()
            usage = cache.usage()
            if action == .clear { try cache.removeAll() }
        } catch {
            console.printError("cache: \(error.reason)")
            return .failed
        }
        tell(Record(directory: cache.directory, entries: usage.count, bytes: usage.byteCount), on: console)
        return console.hasLostOutput ? .failed : .done
    }

    private struct Record: Encodable {
        let directory: String
        let entries: Int
        let bytes: Int
    }

    private func tell(_ record: Record, on console: Console) {
        if report.isJSON { return console.printLine(JSON.line(record)) }
        if report.isQuiet { return }
        let amount =
            "\(record.entries) \(record.entries == 1 ? "picture" : "pictures"), \(Quantity.bytes(record.bytes))"
        switch action {
        case .stats: console.printLine("\(record.directory.printable): \(amount)")
        case .clear: console.printLine("\(record.directory.printable): removed \(amount)")
        }
    }
}
