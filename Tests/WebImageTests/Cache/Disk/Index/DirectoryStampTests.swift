import Testing

@testable import WebImage

@Suite("Whether a directory has changed since it was listed")
struct DirectoryStampTests {
    private static let second: Int64 = 1_000_000_000

    private func stamps(_ times: [UInt8: Int64], inode: UInt64 = 1) -> DirectoryStamps {
        var stamps = DirectoryStamps()
        for (number, time) in times {
            stamps[number] = DirectoryStamp(inode: inode, modified: FileTime(nanoseconds: time))
        }
        return stamps
    }

    private func without(_ numbers: UInt8...) -> [UInt8] { (0...UInt8.max).filter { !numbers.contains($0) } }

    @Test(
        "only a directory with the very same stamp is clean: an earlier time is another one, and another inode as well")
    func dirty() {
        let known = stamps([0: 50, 7: 60, 9: 70])
        #expect(known.dirty(now: known) == without(0, 7, 9))
        #expect(known.dirty(now: stamps([0: 51, 7: 60, 9: 69])) == without(7))
        #expect(known.dirty(now: stamps([0: 50, 7: 60, 9: 70], inode: 2)).count == 256)
        #expect(known.dirty(now: stamps([7: 60])) == without(7))
    }

    @Test("a directory that was changed just before it was looked at is listed again: a later change may look the same")
    func racy() {
        let now = 1000 * Self.second + 5
        let known = stamps([1: now - Self.second / 5, 2: now - Self.second / 20, 3: now, 4: now + 9 * Self.second])
        let settled = known.settled(at: FileTime(nanoseconds: now), without: [])
        #expect((0...UInt8.max).filter { settled[$0] != nil } == [1])
        #expect(known.settled(at: FileTime(nanoseconds: now), without: [1])[1] == nil)
    }

    @Test("a file system that keeps whole seconds is given two of them")
    func coarse() {
        let known = stamps([1: 997 * Self.second, 2: 998 * Self.second, 3: 999 * Self.second])
        let settled = known.settled(at: FileTime(nanoseconds: 1000 * Self.second), without: [])
        #expect((0...UInt8.max).filter { settled[$0] != nil } == [1])
    }
}
