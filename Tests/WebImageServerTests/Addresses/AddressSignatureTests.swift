import Testing

@testable import WebImageServer

@Suite("Address signatures")
struct AddressSignatureTests {
    private static let path = "/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png"
    private static let documented = AddressSignature.Pair(hexKey: "736563726574", hexSalt: "68656C6C6F")
    private static let digits = AddressSignature.Pair(
        hexKey: "943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881",
        hexSalt: "520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5")

    @Test("the signatures of imgproxy's documentation and of its clients' examples")
    func documentation() throws {
        let first = AddressSignature(pairs: [try #require(Self.documented)])
        #expect(first.signature(of: Self.path) == "oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8")
        let second = AddressSignature(pairs: [try #require(Self.digits)])
        let path = "/rs:fit:300:300/plain/http://img.example.com/pretty/image.jpg"
        #expect(second.signature(of: path) == "m3k5QADfcKPDj-SDI2AIogZbC3FlAXszuwhtWXYqavc")
        #expect(second.accepts("m3k5QADfcKPDj-SDI2AIogZbC3FlAXszuwhtWXYqavc", of: path))
    }

    @Test("any pair will do, so that keys can be changed; no other signature, path or length does")
    func rotation() throws {
        let (old, new) = (try #require(Self.digits), try #require(Self.documented))
        let signature = AddressSignature(pairs: [new, old])
        for pair in [old, new] {
            let text = try #require(AddressSignature(pairs: [pair]).signature(of: Self.path))
            #expect(signature.accepts(text, of: Self.path))
            #expect(!signature.accepts(text, of: Self.path + "x"))
            #expect(!signature.accepts(String(text.dropLast()), of: Self.path))
            #expect(!signature.accepts(text + "=", of: Self.path))
            #expect(!signature.accepts("", of: Self.path))
        }
        #expect(!AddressSignature(pairs: []).accepts("", of: Self.path))
    }

    @Test("a signature may be cut to its first bytes")
    func truncated() throws {
        let pair = try #require(Self.documented)
        let whole = try #require(AddressSignature(pairs: [pair]).signature(of: Self.path))
        let short = AddressSignature(pairs: [pair], byteCount: 9)
        let text = try #require(short.signature(of: Self.path))
        #expect(text.count == 12 && whole.hasPrefix(text))
        #expect(short.accepts(text, of: Self.path) && !short.accepts(whole, of: Self.path))
    }

    @Test("keys are hexadecimal digits", arguments: ["0", "0g", "é0", " 0"])
    func digits(text: String) {
        #expect(AddressSignature.Pair(hexKey: text, hexSalt: "00") == nil)
        #expect(AddressSignature.Pair(hexKey: "00", hexSalt: text) == nil)
    }
}
