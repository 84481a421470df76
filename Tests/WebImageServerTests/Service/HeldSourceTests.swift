import FoundationEssentials
import Testing
import WebImageCore

@testable import WebImageServer

@Suite("Sources of requests that wait")
struct HeldSourceTests {
    private static let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    @Test("bytes leave the memory, and come back from the cache, or from a file of their own")
    func places() throws {
        let own = HeldSource(Self.large, cached: nil)
        #expect(own.isInMemory)
        own.letGo()
        #expect(!own.isInMemory)
        #expect(try own.bytes() == Self.large)
        #expect(try own.bytes() == Self.large)
        let cached = HeldSource(Self.large) { () throws(WebImageError) in Data([7]) }
        #expect(try cached.bytes() == Self.large)
        cached.letGo()
        #expect(try cached.bytes() == Data([7]))
    }

    @Test("few bytes stay")
    func small() throws {
        let held = HeldSource(Data([1, 2]), cached: nil)
        held.letGo()
        #expect(held.isInMemory)
        #expect(try held.bytes() == Data([1, 2]))
    }
}
