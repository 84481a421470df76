import Testing
import WebImageCore

@testable import WebImageServer
@testable import WebImageTestDoubles

/// The grammar of addresses, by the examples of imgproxy's documentation and by what its clients write.
@Suite("Service addresses")
struct ServiceAddressTests {
    static func address(_ target: String, _ grammar: OptionGrammar = OptionGrammar()) throws -> ServiceAddress {
        try ServiceAddress(target, grammar: grammar)
    }

    @Test(
        "a source is plain, or in URL-safe Base64 that slashes may divide, with a format behind it",
        arguments: [
            ("/_/plain/http://example.com/images/curiosity.jpg", "http://example.com/images/curiosity.jpg", nil),
            ("/_/plain/http://example.com/images/curiosity.jpg@png", "http://example.com/images/curiosity.jpg", .png),
            ("/_/plain/http://example.com/a.jpg@", "http://example.com/a.jpg", nil),
            ("/_/plain/http://example.com/a%3Fb=c%40d%25", "http://example.com/a?b=c@d%", nil),
            ("/_/plain/http:/example.com/a.jpg", "http://example.com/a.jpg", nil),
            ("/_/plain/https:/example.com/a.jpg", "https://example.com/a.jpg", nil),
            ("/_/plain/local:/a.jpg", "local:///a.jpg", nil),
            ("/_/plain/local:///a/b.jpg@webp", "local:///a/b.jpg", .webP),
            ("/_/plain/a/b:/c.jpg", "a/b:/c.jpg", nil),
            (
                "/_/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png",
                "http://example.com/images/curiosity.jpg", .png
            ),
            ("/_/aHR0cDovL2V4YW1wbGUuY29tL2ltYWdlcy9jdXJpb3NpdHkuanBn", "http://example.com/images/curiosity.jpg", nil),
            ("/_/w:1/aHR0cDovL2V4YW1wbGUuY29tLw==", "http://example.com/", nil),
        ] as [(String, String, ImageFormat?)])
    func sources(target: String, source: String, format: ImageFormat?) throws {
        let address = try Self.address(target)
        #expect(address.source == source)
        #expect(address.options.format == format)
    }

    @Test("what is signed is all behind the signature, and a query is not")
    func signedPath() throws {
        let address = try Self.address("/sig/rs:fit:300:300/plain/http://a.b/c.jpg@png?v=1")
        #expect(address.signature == "sig")
        #expect(address.signedPath == "/rs:fit:300:300/plain/http://a.b/c.jpg@png")
    }

    @Test(
        "an address without a source, or with one that cannot be read, is told so",
        arguments: [
            ("", "/SIGNATURE/OPTIONS/plain/SOURCE"), ("/", "/SIGNATURE/OPTIONS/plain/SOURCE"),
            ("/sig", "/SIGNATURE/OPTIONS/plain/SOURCE"), ("//plain/http://a.b", "/SIGNATURE/OPTIONS/plain/SOURCE"),
            ("/sig/", "no source behind its options"), ("/sig/w:1", "no source behind its options"),
            ("/sig/plain/", "no source behind plain"), ("/sig/plain", "no source behind plain"),
            ("/sig/plain/a@b@c", "%40"), ("/sig/plain/%zz", "percent-encoded"), ("/sig/plain/%ff", "percent-encoded"),
            ("/sig/$$$", "URL-safe Base64"), ("/sig/gIGC", "URL-safe Base64"),
            ("/sig/aHR0cA.png.jpg", "URL-safe Base64"), ("/sig/enc/abc", "encrypted"),
            ("/sig/plain/a@tga", "tga is no format"), ("/sig/plain/a@best", "best is not supported"),
        ])
    func wrongSource(target: String, reason: String) {
        let error = #expect(throws: AddressError.self) { try Self.address(target) }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("presets are lists of options, may name others, and one called default always comes first")
    func presets() throws {
        let grammar = OptionGrammar(presets: [
            "default": ["q:70"], "sharp": ["sharpen:0.7"], "blurry": ["blur:2"],
            "thumb": ["pr:sharp", "rs:fill:100:50", "pr:thumb"],
        ])
        let options = try Self.address("/_/pr:thumb:blurry/w:30/plain/a", grammar).options
        #expect(options.sharpen == 0.7 && options.blur == 2 && options.quality == 70)
        #expect(options.resizingType == .fill && options.width == 30 && options.height == 50)
        let unknown = #expect(throws: AddressError.self) { try Self.address("/_/pr:none/plain/a", grammar) }
        #expect(unknown?.reason == "none is no preset of this service")
        let only = try ServiceAddress("/_/thumb:blurry/plain/a@png", grammar: grammar, onlyPresets: true)
        #expect(only.options.blur == 2 && only.options.width == 100 && only.options.format == .png)
        #expect(throws: AddressError.self) {
            try ServiceAddress("/_/w:100/plain/a", grammar: grammar, onlyPresets: true)
        }
    }

    @Test("another separator of arguments")
    func separator() throws {
        let options = try Self.address("/_/rs,fill,30,20/plain/a:b", OptionGrammar(separator: ",")).options
        #expect(options.width == 30 && options.height == 20)
    }

    @Test("of ten thousand mutated addresses each is read or told what is wrong")
    func mutations() {
        let seeds = [
            "/sig/rs:fill:300:400:1:1:no:5:-0.25/g:fp:0.2:0.7/q:80/fq:webp:60:avif:40/plain/http://a.b/c%20d.jpg@webp",
            "/sig/c:0.5:100:soea:1:2/t:10:ff00ff:1:0/pd:1:2:3:4/rot:-90/bg:255:0:12/bl:1.5/sh:0.7/pix:4/wm:0.5:re:9:9:0.1/aHR0cA",
            "/sig/exp:1700000000/fn:bmFtZQ:1/att:t/skp:jpg:png/raw:f/mb:1000/dpr:2/z:0.5:2/mw:10/mh:20/plain/local:///a",
        ]
        var random = SplitMix(state: 40)
        let letters = Array("/:.@%?-_=0159aefgmnoprstwxz#\u{0}é\u{10ffff} ")
        var readCount = 0
        for _ in 0..<10_000 {
            var text = Array(seeds.randomElement(using: &random) ?? "")
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text[place] = letters.randomElement(using: &random) ?? "/"
                case 1: text.insert(letters.randomElement(using: &random) ?? ":", at: place)
                default: text.remove(at: place)
                }
            }
            do throws(AddressError) {
                _ = try ServiceAddress(String(text), grammar: OptionGrammar())
                readCount += 1
            } catch {
                #expect(!error.reason.isEmpty)
            }
        }
        #expect(readCount > 500 && readCount < 9000, "\(readCount)")
    }
}
