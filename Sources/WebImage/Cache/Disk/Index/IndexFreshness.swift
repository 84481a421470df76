import Synchronization

/// Whether what was last read of the others' changes may still be gone by.
///
/// To ask the system whether there are news costs more than all the rest of a look-up. So it is asked again after 20 ms
/// only, or as soon as this process has written to the same index, by whatever cache: what another process does in that
/// time counts as done later, which nobody can tell who is not told of it in another way.
struct IndexFreshness: ~Copyable, Sendable {
    /// When the page that processes share was read, and after how many writes of this process.
    struct Moment: Sendable {
        fileprivate let time: FileTime
        fileprivate let writeCount: Int
    }

    /// In nanoseconds.
    static let span: Int64 = 20_000_000

    private let writes: IndexWrites
    private let time = Atomic<Int64>(.min)
    private let writeCount = Atomic(-1)

    init(of files: IndexFiles) { writes = .to(files.directory) }

    /// To be taken before the page is read: what is written meanwhile is looked at again.
    func moment(at time: FileTime) -> Moment { Moment(time: time, writeCount: writes.count) }

    /// Everything is known that was there at a moment.
    func note(_ moment: Moment) {
        // One of two that read at once may leave the other one's half; either half is true by itself.
        time.store(moment.time.nanoseconds, ordering: .relaxed)
        writeCount.store(moment.writeCount, ordering: .relaxed)
    }

    /// Whether nothing has to be read yet. A clock that was set back says nothing.
    func lasts(at now: FileTime) -> Bool {
        let start = time.load(ordering: .relaxed)
        let (age, isOver) = now.nanoseconds.subtractingReportingOverflow(start)
        return writeCount.load(ordering: .relaxed) == writes.count && !isOver && (0..<Self.span).contains(age)
    }

    /// The page is about to be something else than what was read.
    func noteWrite() { writes.add() }
}

/// How often this process has written to the page of one index, by whatever cache.
final class IndexWrites: Sendable {
    private struct Reference: Sendable {
        weak var writes: IndexWrites?
    }

    private static let all = Mutex<[String: Reference]>([:])
    private let directory: String
    private let number = Atomic(0)

    private init(_ directory: String) { self.directory = directory }

    deinit {
        // Another one may have taken the place already. It is let go outside the lock: nobody else may hold it by then.
        let other = Self.all.withLock { all in
            let other = all[directory]?.writes
            if other == nil { all[directory] = nil }
            return other
        }
        withExtendedLifetime(other) {}
    }

    /// The one for all who use an index by the same path.
    static func to(_ directory: String) -> IndexWrites {
        all.withLock { all in
            if let writes = all[directory]?.writes { return writes }
            let writes = IndexWrites(directory)
            all[directory] = Reference(writes: writes)
            return writes
        }
    }

    /// Whoever sees a number sees what was written before.
    var count: Int { number.load(ordering: .acquiring) }

    func add() { number.add(1, ordering: .releasing) }
}
