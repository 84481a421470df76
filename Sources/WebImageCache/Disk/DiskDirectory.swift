import FoundationEssentials
import Glibc
import Synchronization
import WebImageCore

/// The directory of a disk cache: `entries-3/ab/abcdef…`, where 3 is the version of the entries' format and `ab` is one
/// of 256 directories that keep listings short. Entries of other versions stay beside it.
///
/// The path of the app may contain symbolic links; below it no link is followed.
struct DiskDirectory: Sendable {
    let fileSystem: any FileSystem
    /// The directory that the app has named.
    let cache: String
    let root: String
    private let verified = VerifiedDirectories()

    init(_ path: String, fileSystem: any FileSystem) {
        cache = path
        root = "\(path)/entries-\(DiskEntryFormat.version)"
        self.fileSystem = fileSystem
    }

    // MARK: One entry

    /// Reads an entry's file; nil when there is none.
    func read(_ name: DiskEntryName) throws(FileSystemError) -> FileBytes? {
        do {
            try verify(name.directory)
            return try fileSystem.read(path(of: name), limit: DiskEntryFormat.largestFile)
        } catch let error where error.isNotFound {
            return nil
        }
    }

    /// Reads the first bytes of an entry's file; nil when there is none.
    func readBeginning(of name: DiskEntryName, count: Int) throws(FileSystemError) -> FileBytes? {
        do {
            try verify(name.directory)
            return try fileSystem.readBeginning(of: path(of: name), count: count)
        } catch let error where error.isNotFound {
            return nil
        }
    }

    /// The status of an entry's file, without a check of its directory for links; nil when there is none.
    func quickStatus(of name: DiskEntryName) -> FileStatus? { try? fileSystem.status(of: path(of: name)) }

    /// The status of an entry's file; nil when there is none.
    func status(of name: DiskEntryName) throws(FileSystemError) -> FileStatus? {
        do {
            try verify(name.directory)
            return try fileSystem.status(of: path(of: name))
        } catch let error where error.isNotFound {
            return nil
        }
    }

    /// Writes an entry's file, replaces the old one if there is one, and creates missing directories.
    ///
    /// - Parameter isThere: Whether there is an old one, as far as the caller knows.
    /// - Returns: False when a directory was missing that may have had entries: they are gone, too.
    func write(_ parts: [Data], as name: DiskEntryName, isThere: Bool) throws(FileSystemError) -> Bool {
        let wasThere = verified.contains(name.directory)
        do {
            try verifyAnew(name.directory)
            try replace(name, by: parts, isThere: isThere)
            return true
        } catch let error where error.isNotFound {
            let hasMadeRoot = try makeDirectories(for: name)
            let isWhole = !wasThere && !hasMadeRoot
            if !isWhole { verified.removeAll() }
            try verifyAnew(name.directory)
            try replace(name, by: parts, isThere: false)
            return isWhole
        }
    }

    private func replace(_ name: DiskEntryName, by parts: [Data], isThere: Bool) throws(FileSystemError) {
        let path = path(of: name)
        do {
            try fileSystem.writeAtomically(parts, to: path, isThere: isThere)
        } catch let error where error.meansDirectory {
            try fileSystem.removeTree(path)
            try fileSystem.writeAtomically(parts, to: path)
        }
    }

    /// Removes an entry's file if it exists.
    func remove(_ name: DiskEntryName) throws(FileSystemError) {
        var seen = SeenDirectories()
        try remove(name, seen: &seen)
    }

    /// Removes one of many files in succession: each directory is checked once for all of them.
    func remove(_ name: DiskEntryName, seen: inout SeenDirectories) throws(FileSystemError) {
        do {
            try verifyAnew(name.directory, seen: &seen)
            // An entry's name belongs to the cache, even where a directory has it.
            try fileSystem.removeItem(path(of: name))
        } catch let error where error.isNotFound {}
    }

    /// The directories that were just checked.
    struct SeenDirectories {
        fileprivate var hasRoot = false
        fileprivate var numbers: Set<UInt8> = []
    }

    /// Writes the access times of entries. Failures do not matter: an entry only appears less used than it is.
    func setAccessTimes(_ times: [(name: DiskEntryName, time: FileTime)]) {
        var seen = SeenDirectories()
        for (name, time) in times.sorted(by: { $0.name.directory < $1.name.directory })
        where (try? verifyAnew(name.directory, seen: &seen)) != nil {
            try? fileSystem.setAccessTime(of: path(of: name), to: time)
        }
    }

    // MARK: All entries

    /// Checks that the entries can be listed; a missing directory counts as an empty one.
    func check() throws(FileSystemError) {
        do { _ = try fileSystem.list(root) } catch let error where error.isNotFound {}
    }

    /// Calls `body` with every item in the cache's directories, one after the other, until it returns false.
    ///
    /// - Throws: The first directory that cannot be listed.
    func forEachItem(
        now: FileTime, _ body: (Item) throws(FileSystemError) -> Bool
    ) throws(FileSystemError) {
        for item in try list(root) {
            guard item.status.kind == .directory, let number = Self.number(of: item.name) else {
                if let other = otherItem(item, now: now), try !body(other) { return }
                continue
            }
            for file in try list(path(of: number)) {
                let item = Item(path: "\(path(of: number))/\(file.name)", role: role(of: file, in: number, now: now))
                guard try body(item) else { return }
            }
        }
    }

    /// The names of all entries, except those that cannot be listed, with the first error.
    func names() -> (names: [DiskEntryName], failure: FileSystemError?) {
        var (names, failure): ([DiskEntryName], FileSystemError?) = ([], nil)
        do { try check() } catch { failure = error }
        for number in 0...UInt8.max {
            do throws(FileSystemError) {
                try fileSystem.forEachItem(of: path(of: number)) { bytes, _ in
                    if let name = DiskEntryName(digits: bytes), name.directory == number { names.append(name) }
                }
            } catch {
                // A link or a file in place of a directory has no entries of the cache.
                if !error.isNotFound, error.code != ENOTDIR { failure = failure ?? error }
            }
        }
        return (names, failure)
    }

    /// An item in the cache's directories.
    struct Item {
        enum Role: Equatable {
            case entry(DiskEntryName)
            /// A file that is being written.
            case unfinished
            /// A partial file of a killed writer.
            case leftOver
            /// A file in the place of a directory, whose entries can neither be stored nor read, or something in the
            /// place of a file of the index.
            case obstacle
            /// A file that the cache has not written.
            case foreign
        }

        let path: String
        let role: Role
    }

    /// The file in the place of the directory of all entries; nil for none.
    var obstacle: Item? {
        guard let status = try? fileSystem.status(of: root), status.kind != .directory else { return nil }
        return Item(path: root, role: .obstacle)
    }

    /// The item beside the directories of entries; nil for a file of the index.
    private func otherItem(_ item: DirectoryItem, now: FileTime) -> Item? {
        let path = "\(root)/\(item.name)"
        if Self.number(of: item.name) != nil { return Item(path: path, role: .obstacle) }
        if IndexFiles.names.contains(item.name) {
            return item.status.kind == .file ? nil : Item(path: path, role: .obstacle)
        }
        guard item.status.kind == .file else { return Item(path: path, role: .foreign) }
        guard TemporaryName.matches(item.name) else { return Item(path: path, role: .foreign) }
        return Item(path: path, role: Self.isLeftOver(item.status, now: now) ? .leftOver : .unfinished)
    }

    private func role(of file: DirectoryItem, in number: UInt8, now: FileTime) -> Item.Role {
        if let name = DiskEntryName(fileName: file.name), name.directory == number { return .entry(name) }
        guard TemporaryName.matches(file.name), file.status.kind == .file else { return .foreign }
        return Self.isLeftOver(file.status, now: now) ? .leftOver : .unfinished
    }

    private func list(_ directory: String) throws(FileSystemError) -> [DirectoryItem] {
        do { return try fileSystem.list(directory) } catch let error where error.isNotFound { return [] }
    }

    /// Ten minutes are longer than any write takes, by this process or by another that shares the directory. A date
    /// more than ten minutes ahead is from before the clock was set back, and counts as old, too: otherwise the file
    /// would stay until the clock reaches that date.
    static func isLeftOver(_ status: FileStatus, now: FileTime) -> Bool {
        status.modified <= now.before(600) || status.modified > now.before(-600)
    }

    // MARK: Directories

    func path(of name: DiskEntryName) -> String { name.path(in: root) }

    func path(of number: UInt8) -> String { "\(root)/\(Self.name(of: number))" }

    static func name(of number: UInt8) -> String {
        (number < 16 ? "0" : "") + String(number, radix: 16)
    }

    static func number(of name: String) -> UInt8? {
        guard let number = UInt8(name, radix: 16), Self.name(of: number) == name else { return nil }
        return number
    }

    /// Checks each directory once when it is first used, so that no symbolic link leads out of the cache.
    private func verify(_ number: UInt8) throws(FileSystemError) {
        if !verified.contains(number) { try verifyAnew(number) }
    }

    /// Checks a directory before a change in it: a link may have replaced it since the cache began. (Reads through a
    /// link are checked by their key.)
    private func verifyAnew(_ number: UInt8) throws(FileSystemError) {
        try verifyRoot()
        try verifyAnew(path(of: number))
        verified.insert(number)
    }

    /// Checks a directory, unless it was just checked for another of its files.
    private func verifyAnew(_ number: UInt8, seen: inout SeenDirectories) throws(FileSystemError) {
        if !seen.hasRoot { try verifyRoot() }
        seen.hasRoot = true
        guard !seen.numbers.contains(number) else { return }
        try verifyAnew(path(of: number))
        seen.numbers.insert(number)
    }

    private func verifyRoot() throws(FileSystemError) { verified.root = try verifyAnew(root).inode }

    @discardableResult
    private func verifyAnew(_ path: String) throws(FileSystemError) -> FileStatus {
        let status = try fileSystem.status(of: path)
        guard status.kind == .directory else { throw FileSystemError(.status, path, code: ENOTDIR) }
        return status
    }

    /// The directory of all entries may be another one now than the one that was checked.
    func forgetRoot() { verified.root = nil }

    /// The inode of the directory of all entries when something in it was last about to change; nil before that.
    var lastRoot: UInt64? { verified.root }

    /// - Returns: Whether even the root was missing.
    private func makeDirectories(for name: DiskEntryName) throws(FileSystemError) -> Bool {
        do {
            try makeDirectory(path(of: name.directory))
            return false
        } catch let error where error.isNotFound {
            try makeDirectoryAndParents(root)
            try makeDirectory(path(of: name.directory))
            return true
        }
    }

    /// Creates the directory of all entries where it is missing.
    func makeRoot() throws(FileSystemError) {
        if !isThere { try makeDirectoryAndParents(root) }
    }

    private func makeDirectoryAndParents(_ path: String) throws(FileSystemError) {
        do {
            try makeDirectory(path)
        } catch let error where error.isNotFound && path.directoryName != path && path.directoryName != "." {
            try makeDirectoryAndParents(path.directoryName)
            try makeDirectory(path)
        }
    }

    private func makeDirectory(_ path: String) throws(FileSystemError) {
        do { try fileSystem.makeDirectory(path) } catch let error where error.code == EEXIST {}
    }
}

/// The directories, of the 256, that were checked to be directories.
private final class VerifiedDirectories: Sendable {
    private let numbers = Mutex<[Bool]>(Array(repeating: false, count: 256))
    private let rootInode = Atomic<UInt64>(0)

    var root: UInt64? {
        get {
            let inode = rootInode.load(ordering: .relaxed)
            return inode == 0 ? nil : inode
        }
        set { rootInode.store(newValue ?? 0, ordering: .relaxed) }
    }

    func contains(_ number: UInt8) -> Bool { numbers.withLock { $0[Int(number)] } }
    func insert(_ number: UInt8) { numbers.withLock { $0[Int(number)] = true } }
    func removeAll() { numbers.withLock { $0 = Array(repeating: false, count: 256) } }
}
