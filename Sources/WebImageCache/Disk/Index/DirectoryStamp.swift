import WebImageCore

/// The identity of a directory at one time: a file that any process adds, replaces or removes changes the directory's
/// modification time.
struct DirectoryStamp: Sendable, Hashable {
    /// In a snapshot, zeros stand for a directory that has to be listed.
    static let size = 16

    let inode: UInt64
    let modified: FileTime

    init(_ status: FileStatus) { self.init(inode: status.inode, modified: status.modified) }

    init(inode: UInt64, modified: FileTime) { (self.inode, self.modified) = (inode, modified) }

    /// Whether every later change results in another stamp. File systems take the time of a change from a clock that
    /// ticks every few milliseconds: two changes within one tick have the same time. (Git calls such an entry of its
    /// index racily clean.)
    ///
    /// - Parameter time: When the stamp was taken, by the clock of the same file system.
    func isSettled(at time: FileTime) -> Bool {
        // Some file systems keep whole seconds only, or multiples of two seconds.
        let isCoarse = modified.nanosecondsOfSecond == 0
        return modified < time.before(isCoarse ? 2 : 0.1)
    }
}

/// The stamps of the 256 directories of a cache, each from the last listing of its directory.
struct DirectoryStamps: Sendable {
    private var stamps: [DirectoryStamp?]

    /// No directory exists, or all have to be listed.
    init() { stamps = Array(repeating: nil, count: Int(UInt8.max) + 1) }

    subscript(number: UInt8) -> DirectoryStamp? {
        get { stamps[Int(number)] }
        set { stamps[Int(number)] = newValue }
    }

    /// The directories that have changed since their stamp was taken, and have to be listed.
    func dirty(now current: DirectoryStamps) -> [UInt8] {
        (0...UInt8.max).filter { self[$0] == nil || self[$0] != current[$0] }
    }

    /// The stamps that every later change alters, without those of `unsettled`; all other directories have to be listed
    /// again.
    func settled(at time: FileTime, without unsettled: Set<UInt8>) -> DirectoryStamps {
        var settled = self
        for number in 0...UInt8.max where unsettled.contains(number) || self[number]?.isSettled(at: time) != true {
            settled[number] = nil
        }
        return settled
    }
}
