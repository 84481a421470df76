import Testing
import WebImageCore

@testable import WebImageCache

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
        "only a directory with the same stamp is clean: an earlier time or another inode makes it dirty")
    func dirty() {
        let known = stamps([0: 50, 7: 60, 9: 70])
        #expect(known.dirty(now: known) == without(0, 7, 9))
        #expect(known.dirty(now: stamps([0: 51, 7: 60, 9: 69])) == without(7))
        #expect(known.dirty(now: stamps([0: 50, 7: 60, 9: 70], inode: 2)).count == 256)
        #expect(known.dirty(now: stamps([7: 60])) == without(7))
    }

    @Test(
        "a directory that changed just before its stamp was taken is listed again: a later change may have the same stamp"
    )
    func racy() {
        let now = 1000 * Self.second + 5
        let known = stamps([1: now - Self.second / 5, 2: now - Self.second / 20, 3: now, 4: now + 9 * Self.second])
        let settled = known.settled(at: FileTime(nanoseconds: now), without: [])
        #expect((0...UInt8.max).filter { settled[$0] != nil } == [1])
        #expect(known.settled(at: FileTime(nanoseconds: now), without: [1])[1] == nil)
    }

    @Test("a stamp in whole seconds is settled after two seconds")
    func coarse() {
        let known = stamps([1: 997 * Self.second, 2: 998 * Self.second, 3: 999 * Self.second])
        let settled = known.settled(at: FileTime(nanoseconds: 1000 * Self.second), without: [])
        #expect((0...UInt8.max).filter { settled[$0] != nil } == [1])
    }
}
