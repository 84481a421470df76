import FoundationEssentials
import WebImage
import WebImageCommandLine

/// `webimage cache`: lists the disk cache's entries, verifies them, and removes some.
struct CacheCommand: Command {
    static let name = "cache"
    static let summary = "Tell what the cache holds, check it, or remove from it"
    static let synopsis = CacheAction.allCases.map { "\($0.rawValue)\($0.operands) [OPTION…]" }
    static var options: [CommandOption<Self>] {
        [
            .value("cache", .text("DIR", completion: .directories), \.cacheDirectory, help: "the cache's directory"),
            .value("sort", .cacheOrder, \.order, help: "list: the largest, the last used, or by name"),
            .value("size", .byteCount, \.limits.size, help: "trim: bytes on disk that may stay, such as 500MB or 2GiB"),
            .value("age", .age, \.limits.age, help: "trim: how long ago it may have been used, such as 12h or 30d"),
            .value("count", .integer(0...1_000_000_000), \.limits.count, help: "trim: pictures that may stay"),
            .flag("repair", \.repairs, help: "verify: remove what is damaged or left over"),
            .flag("yes", letter: "y", \.isConfirmed, help: "clear: do not ask, as it does on a terminal"),
        ]
    }
    static var operands: ValueCompletion { .words(CacheAction.allCases.map(\.rawValue)) }
    static let notes = """
        The default cache is webimage/webimage in the directory that XDG_CACHE_HOME names, or in ~/.cache. It keeps the files
        from the network, for a week after their last use.

        KEY is an address as it was loaded, another name as list shows it, or the name of a file in the cache. trim removes
        what was used longest ago until the rest is within all limits; without any, what a week has not used. verify reads
        every file: its exit status is 1 when anything is wrong that is still there. What is left half written does no harm,
        and the cache removes it when it is next in use. clear asks before it removes anything, where standard input and
        standard error are a terminal and --yes is not given.

        With --json each line is an object. stats, clear and trim: directory, entries and bytes, which for the latter two are
        what was removed; list, one for each picture: key, bytes, fileBytes, path, created, stored, used, expires; show, the
        same with headers, extendedBytes, format, width and height; remove: key and bytes, or error; verify, one for each
        problem: problem (damaged, leftOver, unreadable, obstacle or foreign), path, removed; and at the end directory,
        entries, bytes, problems and removed.
        """

    var report = ReportOptions()
    var cacheDirectory: String?
    var order: CacheOrder?
    var limits = CacheLimits()
    var repairs = false
    var isConfirmed = false
    private(set) var action = CacheAction.stats
    private(set) var keys: [String] = []

    init() {}

    mutating func prepare(operands: [String]) throws(UsageError) {
        guard let action = operands.first.flatMap(CacheAction.init) else {
            let actions = CacheAction.allCases.map(\.rawValue)
            if let word = operands.first, let question = Suggestion(for: word, among: actions).question {
                throw UsageError("there is no webimage cache \(word.printable); \(question)")
            }
            throw UsageError(
                "say what to do: webimage cache \(actions.joined(separator: "|"))")
        }
        self.action = action
        keys = Array(operands.dropFirst())
        guard action.takes(keys.count) else {
            throw UsageError("webimage cache \(action.rawValue) takes \(action.operandsInWords)")
        }
        if let stray = strayOption { throw UsageError("--\(stray) says nothing to webimage cache \(action.rawValue)") }
    }

    /// An option that belongs to another action.
    private var strayOption: String? {
        let given: [(name: String, isGiven: Bool, owner: CacheAction)] = [
            ("sort", order != nil, .list), ("size", limits.size != nil, .trim), ("age", limits.age != nil, .trim),
            ("count", limits.count != nil, .trim), ("repair", repairs, .verify), ("yes", isConfirmed, .clear),
        ]
        return given.first { $0.isGiven && $0.owner != action }?.name
    }

    func run(on console: Console) async -> ExitCode {
        let directory = cacheDirectory ?? ImageCache.defaultDirectory
        CacheDirectoryAccess.checkOwner(of: directory)
        let cache = cache(in: directory)
        // Its index is saved before the program ends, and not meanwhile.
        defer { cache.close() }
        let isDone: Bool
        do throws(WebImageError) {
            // This call says itself what is in the way.
            if action != .verify { try cache.checkReadable() }
            let isPermitted = try await isPermitted(cache, on: console)
            isDone = isPermitted ? try run(cache, on: console) : false
        } catch {
            if !error.isCancelled { console.printError("cache: \(error.reason)") }
            isDone = false
        }
        return isDone && !console.hasLostOutput ? .done : .failed
    }

    /// Whether to go on: a person is asked before a cache that is not empty is cleared.
    private func isPermitted(_ cache: DiskCache, on console: Console) async throws(WebImageError) -> Bool {
        guard action == .clear, !isConfirmed, console.canAsk else { return true }
        let usage = cache.usage()
        guard usage.byteCount > 0 else { return true }
        let question = "Remove \(usage.text), from \(cache.directory.printable)?"
        let isPermitted = try await LongWork.run { flag throws(WebImageError) in
            try console.isConfirmed(question, until: flag)
        }
        if !isPermitted { console.printError("cache: nothing was removed") }
        return isPermitted
    }

    private func cache(in directory: String) -> DiskCache {
        var config = ImageCacheConfig()
        // Removes only the requested pictures.
        config.shouldRemoveExpiredDataAutomatically = false
        guard case .readOnly = CacheDirectoryAccess(to: directory) else {
            return DiskCache(directory: directory, config: config)
        }
        // Listing needs no index; a removal fails with an error.
        return DiskCache(directory: directory, config: config, fileSystem: POSIXFileSystem(), warn: { _ in })
    }

    /// - Returns: Whether all was done.
    private func run(_ cache: DiskCache, on console: Console) throws(WebImageError) -> Bool {
        let teller = CacheTeller(report: report, console: console, directory: cache.directory)
        switch action {
        case .stats: teller.tell(cache.pictureUsage())
        case .list: try CacheListing(order: order).tell(cache, by: teller)
        case .show: return try CacheLookup(cache).show(keys[0], by: teller)
        case .remove: return CacheLookup(cache).remove(keys, by: teller)
        case .trim: try limits.trim(cache, by: teller)
        case .clear:
            let usage = cache.usage()
            try cache.removeAll()
            teller.tell(removed: usage)
        case .verify: return try CacheCheck(repairs: repairs).run(cache, by: teller)
        }
        return true
    }
}

/// The actions of `webimage cache`.
enum CacheAction: String, CaseIterable {
    case stats, list, show, remove, trim, clear, verify

    /// The operands of the action in the help.
    var operands: String {
        switch self {
        case .show: " KEY"
        case .remove: " KEY…"
        default: ""
        }
    }

    var operandsInWords: String {
        switch self {
        case .show: "one key or file name"
        case .remove: "keys or file names"
        default: "options only"
        }
    }

    func takes(_ count: Int) -> Bool {
        switch self {
        case .show: count == 1
        case .remove: count > 0
        default: count == 0
        }
    }
}
