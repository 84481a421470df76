import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP

@Suite("Rules of HTTP caching: what is stored")
struct HTTPStorageRulesTests {
    private static let address = "http://host/a"

    private func rules(
        _ method: String = "GET", _ fields: [String: String] = [:], status: Int = 200,
        request: [String: String] = [:], from address: String = HTTPStorageRulesTests.address
    ) throws -> HTTPStorageRules {
        let url = try #require(URL(string: Self.address))
        return HTTPStorageRules(
            request: SentRequest(url: url, method: method, headers: request, usesCookies: false),
            response: HTTPResponse(url: try #require(URL(string: address)), statusCode: status, headers: fields))
    }

    @Test(
        "DL-24 answers without a lifetime are stored by their status",
        arguments: [
            (200, true), (203, true), (404, true), (410, true), (501, true), (201, false), (206, false), (304, false),
            (403, false), (503, false), (599, false),
        ])
    func statuses(status: Int, isStored: Bool) throws {
        #expect(try rules("GET", ["last-modified": "x"], status: status).mayBeStored == isStored)
        #expect(
            try rules("GET", ["cache-control": "public"], status: status).mayBeStored == ![206, 304].contains(status))
        #expect(try rules("GET", ["expires": "x"], status: status).mayBeStored == ![206, 304].contains(status))
    }

    @Test("DL-24 no-store wins, unless a status that is understood must be")
    func noStore() throws {
        #expect(try !rules("GET", ["cache-control": "max-age=60, no-store"]).mayBeStored)
        #expect(try rules("GET", ["cache-control": "max-age=60, no-store, must-understand"]).mayBeStored)
        #expect(try !rules("GET", ["cache-control": "no-store, must-understand"], status: 599).mayBeStored)
        #expect(try !rules("GET", ["cache-control": "max-age=60"], request: ["Cache-Control": "No-Store"]).mayBeStored)
    }

    @Test("DL-24 of other methods, only the answer to a POST that says what it is")
    func methods() throws {
        let fields = ["cache-control": "max-age=60", "content-location": "/a"]
        #expect(try rules("POST", fields).mayBeStored)
        #expect(try !rules("POST", ["content-location": "/a"]).mayBeStored)
        #expect(try !rules("POST", fields.merging(["content-location": "/b"]) { $1 }).mayBeStored)
        for method in ["PUT", "DELETE", "HEAD", "M-SEARCH"] { #expect(try !rules(method, fields).mayBeStored) }
    }

    @Test("DL-24 a change on the server invalidates its address, and others of the same origin that it names")
    func invalidation() throws {
        let fields = ["location": "b", "content-location": "http://HOST/c"]
        let found = try rules("PUT", fields, status: 201).invalidated.map(\.absoluteString)
        #expect(found.count == 3 && found[0] == Self.address && found[1] == "http://host/b")
        let foreign = ["location": "http://other/b", "content-location": "https://host/c"]
        #expect(try rules("DELETE", foreign, status: 303).invalidated.count == 1)
        #expect(try rules("POST", fields, status: 500).invalidated.isEmpty)
        #expect(try rules("GET", fields).invalidated.isEmpty)
    }

    @Test("DL-24 the record has no field of the connection, and what the answer depends on")
    func record() throws {
        let fields = [
            "connection": "x-hop", "x-hop": "1", "keep-alive": "5", "etag": "\"1\"", "vary": "X, Accept, Y",
            "set-cookie": "a=b",
        ]
        let request = ["X": "1", "accept": "image/*"]
        let record = try rules("GET", fields, request: request).record(knowing: ["x": "1"])
        #expect(
            record == [
                "etag": "\"1\"", "vary": "X, Accept, Y", "set-cookie": "a=b", ":status": "200", ":vary-x": "1",
            ])
        let modified = try rules("GET", fields, request: ["X": "2"]).record(knowing: ["x": "1"])
        #expect(modified[":vary"] == "1")
        let moved = try rules("GET", [:], from: "http://host/b").record(knowing: [:])
        #expect(moved[":location"] == "http://host/b")
        #expect(moved[":redirect-lifetime"] == "0.0" || moved[":redirect-lifetime"] == "0")
    }
}
