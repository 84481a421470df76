import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageHTTP
@testable import WebImageTestDoubles

@Suite("Hosts that want https: rules and file", .timeLimit(.minutes(5)))
struct HSTSTableTests {
    private static let now = 1_800_000_000

    private func table(_ entries: (String, Bool)...) -> HSTSTable {
        var table = HSTSTable()
        for (name, includesSubdomains) in entries {
            table[name] = .init(expiry: Self.now + 100, includesSubdomains: includesSubdomains)
        }
        return table
    }

    // MARK: The field

    @Test(
        "a field of the grammar is understood, in whatever case and order",
        arguments: [
            ("max-age=10", 10, false), ("MAX-AGE = \"10\" ; includeSubDomains", 10, true),
            ("includesubdomains; max-age=10; preload", 10, true), (";; max-age=10;", 10, false),
            ("max-age=0", 0, false), ("max-age=99999999999999999999", 1 << 31, false),
            ("max-age=10; own=\"a;b,c\\\"\"", 10, false), ("max-age=10, max-age=20; includeSubDomains", 10, false),
        ])
    func field(text: String, maxAge: Int, includesSubdomains: Bool) throws {
        let policy = try #require(TransportSecurityPolicy(text))
        #expect(policy.maxAge == maxAge && policy.includesSubdomains == includesSubdomains)
    }

    @Test(
        "a field that breaks the grammar counts as none",
        arguments: [
            "", ";", "includeSubDomains", "max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=ten",
            "max-age 10", "max-age=10; max-age=20", "max-age=10; includeSubDomains=1", "max-age=10; a b",
            ", max-age=10",
        ])
    func badField(text: String) { #expect(TransportSecurityPolicy(text) == nil) }

    // MARK: Hosts

    @Test("a host counts for itself, and for those below it where it says so")
    func domains() {
        let table = table(("a.example", false), ("b.example", true))
        let strict = ["a.example", "A.Example", "a.example.", "b.example", "x.b.example", "y.x.b.example"]
        let others = ["x.a.example", "example", "xb.example", "c.example", "", "."]
        for host in strict { #expect(table.isStrict(host, at: Self.now), "\(host)") }
        for host in others { #expect(!table.isStrict(host, at: Self.now), "\(host)") }
        #expect(!table.isStrict("a.example", at: Self.now + 100))
    }

    @Test(
        "an IP address is no name, however it is written",
        arguments: ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0x7f.0x1", "::1", "[::1]", "1.2.3.4.", "a.0x1"])
    func address(host: String) { #expect(HSTSTable.name(of: host) == nil) }

    @Test("a name that the DNS cannot have is none, and costs nothing to refuse")
    func longName() {
        let long = String(repeating: "a.", count: 500_000) + "example"
        #expect(HSTSTable.name(of: long) == nil)
        #expect(!table(("example", true)).isStrict(long, at: Self.now))
        for host in ["a b", "a\nb", "a\"b"] { #expect(HSTSTable.name(of: host) == nil) }
    }

    @Test("names that a server makes up have a limit, and none that is known goes for them")
    func limit() {
        var table = table(("first.example", false))
        for number in 0..<(HSTSTable.largestCount + 10) {
            table["n\(number).example"] = .init(expiry: Self.now + 10, includesSubdomains: false)
        }
        #expect(table.isFull && table["first.example"] != nil)
        table["first.example"] = .init(expiry: Self.now + 200, includesSubdomains: true)
        #expect(table["first.example"]?.includesSubdomains == true)
        table.removeExpired(at: Self.now + 20)
        #expect(!table.isFull && table["first.example"] != nil)
    }

    // MARK: The text

    @Test("what is written is read again, without what has expired")
    func roundTrip() {
        var table = table(("a.example", false), ("b.example", true))
        #expect(HSTSTable(text: table.text(at: Self.now)) == table)
        let lines = "a.example \"20270115 08:01:40\"\n.b.example \"20270115 08:01:40\"\n"
        #expect(table.text(at: Self.now).hasSuffix(lines))
        table["old.example"] = .init(expiry: Self.now, includesSubdomains: false)
        #expect(HSTSTable(text: table.text(at: Self.now))["old.example"] == nil)
        table["ever.example"] = .init(expiry: .max, includesSubdomains: false)
        #expect(HSTSTable(text: table.text(at: Self.now))["ever.example"]?.expiry == CurlFileDate.last)
    }

    @Test("lines that mean nothing are ignored, whatever they are")
    func damaged() {
        let text = """
            # a comment
            .good.example "20270115 08:01:40"
            ever.example "unlimited"
            no-date.example
            bad.example "2027-01-15"
            127.0.0.1 "20270115 08:01:40"

            """
        let table = HSTSTable(text: text)
        #expect(table["good.example"] == .init(expiry: Self.now + 100, includesSubdomains: true))
        #expect(table["ever.example"]?.expiry == CurlFileDate.last)
        for name in ["no-date.example", "bad.example", "127.0.0.1"] { #expect(table[name] == nil) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            let bytes = (0..<200).map { _ in UInt8.random(in: 0...127, using: &generator) }
            _ = HSTSTable(text: text + String(decoding: bytes, as: UTF8.self))
            _ = TransportSecurityPolicy(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("a date is the moment that it names", arguments: [0, 951_782_399, 951_868_800, 1_800_000_000, 4_102_444_800])
    func date(seconds: Int) {
        let text = CurlFileDate(seconds: seconds).text
        #expect(CurlFileDate(Substring(text))?.seconds == seconds)
    }

    // MARK: The file

    @Test("of many that write one file at the same time, each keeps what it has learned")
    func manyWriters() async throws {
        let directory = try CacheDirectory()
        let path = directory.path + "/hsts"
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    let file = SharedTextFile(path: path, contents: .lines)
                    for number in 0..<25 { try? file.update { $0 + "\(writer).\(number)\n" } }
                }
            }
        }
        let lines = try SharedTextFile(path: path, contents: .lines).read().split(separator: "\n")
        #expect(lines.count == 200 && Set(lines).count == 200)
    }

    @Test("what another has written since is kept, and a wish that was taken back is gone")
    func merging() throws {
        let directory = try CacheDirectory()
        let path = directory.path + "/hsts"
        let (first, second) = (try HSTSStore(path: path), try HSTSStore(path: path))
        first.note(try answer("https://a.example/", "max-age=1000"))
        second.note(try answer("https://b.example/", "max-age=1000"))
        let third = try HSTSStore(path: path)
        for host in ["a", "b"] {
            #expect(third.secured(try parsed("http://\(host).example/x")).absoluteString == "https://\(host).example/x")
        }
        third.note(try answer("https://a.example/", "max-age=0"))
        let fourth = try HSTSStore(path: path)
        #expect(fourth.secured(try parsed("http://a.example/x")).scheme == "http")
        #expect(fourth.secured(try parsed("http://b.example/x")).scheme == "https")
    }

    @Test("a file is not written for each answer, and never behind by more than a tenth of the time")
    func renewal() throws {
        let directory = try CacheDirectory()
        let path = directory.path + "/hsts"
        let store = try HSTSStore(path: path)
        let start = Date(timeIntervalSince1970: Double(Self.now))
        let expiry = { (seconds: Double) throws in
            store.note(
                try answer("https://a.example/", "max-age=1000"), at: start.addingTimeInterval(seconds))
            return HSTSTable(text: try SharedTextFile(path: path, contents: .strictHosts).read())["a.example"]?.expiry
        }
        #expect(try expiry(0) == Self.now + 1000)
        #expect(try expiry(100) == Self.now + 1000)
        #expect(try expiry(101) == Self.now + 1101)
    }

    @Test(
        "the address stays as it is but for scheme and port",
        arguments: [
            ("http://a.example/x?y=%20z#f", "https://a.example/x?y=%20z#f"),
            ("http://a.example:80/", "https://a.example/"),
            ("http://a.example:8080/", "https://a.example:8080/"), ("HTTP://A.example/", "https://A.example/"),
            ("https://a.example:80/", "https://a.example:80/"), ("http://b.example/", "http://b.example/"),
        ])
    func address(from: String, to: String) throws {
        let store = try HSTSStore(path: nil)
        store.note(try answer("https://a.example/", "max-age=1000"))
        #expect(store.secured(try parsed(from)).absoluteString == to)
    }

    private func answer(_ address: String, _ field: String) throws -> HTTPResponse {
        HTTPResponse(url: try parsed(address), statusCode: 200, headers: ["strict-transport-security": field])
    }
}

extension SharedFileContents {
    fileprivate static let lines = SharedFileContents(name: "lines", setting: "a setting") { _ in true }
}
