/// What tells whether a directory has changed since it was listed: each file that is added, replaced or removed in it gives
/// it another modification time, whichever process does that.
struct DirectoryStamp: Sendable, Hashable {
    /// In a snapshot, zeros stand for a directory that has to be listed.
    static let size = 16

    let inode: UInt64
    let modified: FileTime

    init(_ status: FileStatus) { self.init(inode: status.inode, modified: status.modified) }

    init(inode: UInt64, modified: FileTime) { (self.inode, self.modified) = (inode, modified) }

    /// Whether a later change is sure to give another stamp. File systems date changes by a clock that ticks, mostly every
    /// few milliseconds: two changes within one tick look alike. (Git calls such an entry of its index racily clean.)
    ///
    /// - Parameter time: When the stamp was taken, by the clock of the same file system.
    func isSettled(at time: FileTime) -> Bool {
        // Some file systems keep whole seconds only, or every second one.
        let isCoarse = modified.nanosecondsOfSecond == 0
        return modified < time.before(isCoarse ? 2 : 0.1)
    }
}

/// The stamps of the 256 directories of a cache, each as it was when the directory was last listed.
struct DirectoryStamps: Sendable {
    private var stamps: [DirectoryStamp?]

    /// No directory is there, or each has to be listed.
    init() { stamps = Array(repeating: nil, count: Int(UInt8.max) + 1) }

    subscript(number: UInt8) -> DirectoryStamp? {
        get { stamps[Int(number)] }
        set { stamps[Int(number)] = newValue }
    }

    /// The directories that have to be listed, since they are not as they were.
    func dirty(now current: DirectoryStamps) -> [UInt8] {
        (0...UInt8.max).filter { self[$0] == nil || self[$0] != current[$0] }
    }

    /// Those that a later change is sure to alter, without the directories named; the others have to be listed again.
    func settled(at time: FileTime, without unsettled: Set<UInt8>) -> DirectoryStamps {
        var settled = self
        for number in 0...UInt8.max where unsettled.contains(number) || self[number]?.isSettled(at: time) != true {
            settled[number] = nil
        }
        return settled
    }
}
