import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP

@testable import WebImageTestDoubles

@Suite("data: addresses", .timeLimit(.minutes(5)))
struct DataURLLoaderTests {
    private let loader = DataURLLoader()

    private func data(_ address: String) async throws -> Data {
        try await RecordedLoad(try parsed(address), by: loader).response.data
    }

    @Test(
        "data in every form of RFC 2397",
        arguments: [
            "data:,hello", "data:text/plain,hello", "data:text/plain;charset=utf-8,hel%6Co", "DATA:,hello",
            "data:;base64,aGVsbG8=", "data:;base64,aGVsbG8", "data:image/png;base64,aGVsbG8=",
            "data:image/png;base64,aGVsbG8=#fragment", "data:image/png;base64%20,aGVsbG8=",
            "data:image/png;%20base64,aGVsbG8=", "data:,hello#a#b", "data:image/png;a=b;BASE64,aGVsbG8=",
            "data:;base64,aGVs%0AbG8%3D", "data:;base64,aGVs%20bG8=",
        ])
    func forms(address: String) async throws {
        #expect(try await data(address) == Data("hello".utf8))
    }

    @Test("a comma in the data is data")
    func comma() async throws {
        #expect(try await data("data:,a,b") == Data("a,b".utf8))
    }

    @Test(
        "a fragment is no part of an SVG, whose colours may have the same sign",
        arguments: [
            ("data:image/svg+xml,<svg fill='#f00'/>#icon", "<svg fill='#f00'/>"),
            ("data:image/svg+xml,%3Csvg fill='#f00'/%3E#icon", "<svg fill='#f00'/>"),
            ("data:image/svg+xml,<svg fill='#f00'/>", "<svg fill='#f00'/>"),
            ("data:image/svg+xml,%3Csvg fill='%23f00'/%3e", "<svg fill='#f00'/>"),
        ])
    func fragments(address: String, text: String) async throws {
        let url = try #require(URL(webAddress: address))
        #expect(try await RecordedLoad(url, by: loader).response.data == Data(text.utf8))
    }

    @Test("all bytes survive, by base64 and by percent signs")
    func allBytes() async throws {
        let bytes = Data(0...255)
        #expect(try await data("data:;base64,\(bytes.base64EncodedString())") == bytes)
        #expect(try await data("data:,\(bytes.map(Self.escape).joined())") == bytes)
    }

    private static func escape(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return "%\(digits[Int(byte) / 16])\(digits[Int(byte) % 16])"
    }

    @Test("megabytes arrive whole")
    func large() async throws {
        let bytes = sampleBytes(12_000_000)
        #expect(try await data("data:image/jpeg;base64,\(bytes.base64EncodedString())") == bytes)
    }

    @Test(
        "megabytes arrive whole by escapes, in lines, and with escapes at any place", arguments: [76, 65_535, 65_537])
    func largeEscapes(width: Int) async throws {
        let bytes = sampleBytes(200_000)
        let digits = Array(bytes.base64EncodedString())
        let lines = stride(from: 0, to: digits.count, by: width).map {
            String(digits[$0..<min($0 + width, digits.count)])
        }
        #expect(try await data("data:image/jpeg;base64,\(lines.joined(separator: "%0D%0A%20"))") == bytes)
        #expect(try await data("data:,\(bytes.map(Self.escape).joined())") == bytes)
    }

    @Test("a fault far behind the beginning is found at its place")
    func distantFault() async throws {
        let digits = String(repeating: "AAAA", count: 50_000)
        for (address, what) in [
            ("data:;base64,\(digits)%0A*\(digits)", "position 200001"), ("data:;base64,\(digits)A", "cut"),
            ("data:;base64,\(digits)=\(digits)", "position 200001"),
        ] {
            let error = try #require(await RecordedLoad(try parsed(address), by: loader).error)
            #expect(error.code == .invalidURL && error.reason.contains(what), "\(error)")
        }
    }

    @Test(
        "an address that breaks the rules is an error that names the rule",
        arguments: [
            ("data:image/png;base64", "comma"), ("data:", "comma"), ("data:,", "after its comma"),
            ("data:;base64,", "after its comma"), ("data:;base64,aGV*bG8=", "position 4"),
            ("data:;base64,aGVsbG8-", "position 8"), ("data:;base64,aGVsb", "cut"), ("data:;base64,=", "cut"),
        ])
    func broken(address: String, what: String) async throws {
        let url = try parsed(address)
        let load = RecordedLoad(url, by: loader)
        let error = try #require(await load.error)
        #expect(error.code == .invalidURL && error.kind == .permanent)
        #expect(error.reason.contains(what), "\(error)")
        #expect(load.hasEndedOnce)
        #expect(loader.shouldBlockFailedURL(url, error: error))
    }

    @Test("the message about a long address is short")
    func shortMessage() async throws {
        let url = try parsed("data:;base64,*" + String(repeating: "A", count: 1_000_000))
        #expect(await RecordedLoad(url, by: loader).error?.description.utf8.count ?? .max < 400)
    }

    @Test("it accepts data: URLs and nothing else")
    func schemes() throws {
        #expect(loader.canLoad(try parsed("data:,a")))
        #expect(!loader.canLoad(try parsed("http://a/data:")))
    }
}
