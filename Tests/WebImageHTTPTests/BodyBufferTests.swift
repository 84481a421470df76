import FoundationEssentials
import Testing

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Body buffer")
struct BodyBufferTests {
    @Test("pieces of any size become one body", arguments: [1, 3, 1000, 16_384, 70_000])
    func pieces(size: Int) {
        let bytes = sampleBytes(200_000)
        var buffer = BodyBuffer()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let isAppended = bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { buffer.append($0) }
            #expect(isAppended)
        }
        let (data, rest) = (buffer.takeData(), buffer.takeData())
        #expect(data == bytes)
        #expect(rest.isEmpty)
    }

    @Test("a reservation of exabytes is cut, and the bytes that come are taken")
    func hostileReservation() {
        var buffer = BodyBuffer()
        let isReserved = buffer.reserve(.max)
        #expect(isReserved)
        let isAppended = sampleBytes(10).withUnsafeBytes { buffer.append($0) }
        #expect(isAppended)
        let data = buffer.takeData()
        #expect(data == sampleBytes(10))
    }

    @Test("free space is handed out and counted")
    func freeSpace() throws {
        var buffer = BodyBuffer()
        let capacity = buffer.withFreeSpace(atLeast: 100) { space in
            space.initializeMemory(as: UInt8.self, repeating: 7)
            return space.count
        }
        #expect(try #require(capacity) >= 100)
        buffer.advance(by: 3)
        let data = buffer.takeData()
        #expect(data == Data([7, 7, 7]))
    }
}
