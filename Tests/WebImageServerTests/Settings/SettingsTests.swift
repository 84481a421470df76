import Foundation
import Testing
import WebImageCore

@testable import WebImageServer

@Suite("Settings of a server")
struct SettingsTests {
    private static func settings(_ text: String) throws -> PictureServerSettings {
        let file = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var settings = PictureServerSettings()
        try settings.apply(file: file.path)
        return settings
    }

    @Test("a file has names, values, lists and comments")
    func file() throws {
        let settings = try Self.settings(
            """
            # A comment
            listen = "*:80"   # another one
            workers = 3
            allow_private = true
            sources = [
                "https://a.example/",
                # A comment in a list
                'https://b.example/',
            ]
            sources = https://c.example/
            memcached = 10.0.0.1:11211,10.0.0.2*2
            preset = "small=w:10/q:50"

            auto-formats = none
            format-quality = webp:70
            """)
        #expect(settings.listen == "*:80")
        #expect(settings.workers == 3)
        #expect(settings.allowsPrivate)
        #expect(settings.sources == ["https://a.example/", "https://b.example/", "https://c.example/"])
        #expect(settings.memcached.map(\.host) == ["10.0.0.1", "10.0.0.2"])
        #expect(settings.presets == ["small=w:10/q:50"])
        #expect(settings.autoFormats.isEmpty)
        #expect(settings.formatQuality[.webP] == 70)
    }

    @Test(
        "a wrong line is told with its number and what it takes",
        arguments: [
            ("workers = many", "line 1: workers many: give a whole number from 1 to 1024"),
            ("\n\nnothing = 1", "line 3: nothing is no setting"), ("workers", "line 1: write NAME = VALUE"),
            ("workers = [1, 2]", "line 1: workers has one value"), ("key = xyz", "hexadecimal digits"),
            ("key =", "hexadecimal digits"),
            ("unsigned = maybe", "give true or false"), ("trusted-proxy = a", "10.0.0.0/8"),
            ("sources = [\"a\" \"b\"]", "write NAME = VALUE"), ("\nsources = [1,\n2", "line 2: the list has no ]"),
            ("listen = \"a", "write NAME = VALUE"),
            ("auto-formats = avif,foo", "foo is no format"), ("format-quality = webp", "webp:75"),
            ("memcached = a:b", "a:b is no HOST"), ("preset = small", "NAME=OPTIONS"),
        ])
    func wrong(text: String, part: String) {
        let error = #expect(throws: PictureServerError.self) { try Self.settings(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test("folders that are not there, or cannot be written, are told at the start")
    func folders() throws {
        for change in [
            { (settings: inout PictureServerSettings) in settings.localRoot = "/nowhere" },
            { (settings: inout PictureServerSettings) in settings.cache = "/dev/null/cache" },
        ] {
            var settings = PictureServerSettings()
            settings.listen = "127.0.0.1:0"
            change(&settings)
            #expect(throws: PictureServerError.self) { try PictureServer(settings: settings) }
        }
    }

    @Test("a file that is not there is told")
    func missing() {
        var settings = PictureServerSettings()
        let error = #expect(throws: PictureServerError.self) { try settings.apply(file: "/nowhere/at all") }
        #expect(error?.description == "the file of settings /nowhere/at all cannot be read")
    }

    @Test("variables set all that options set, lists with blanks between")
    func environment() throws {
        var settings = PictureServerSettings()
        try settings.apply(environment: [
            "WEBIMAGE_MAX_TIME": "9", "WEBIMAGE_UNSIGNED": "yes", "WEBIMAGE_KEY": "aa bb", "WEBIMAGE_SALT": "cc dd",
            "WEBIMAGE_LISTEN": "",
        ])
        #expect(settings.timeout == 9 && settings.allowsUnsigned)
        #expect(settings.keys == ["aa", "bb"] && settings.salts == ["cc", "dd"])
        #expect(settings.listen == PictureServerSettings().listen)
        let error = #expect(throws: PictureServerError.self) {
            try settings.apply(environment: ["WEBIMAGE_WORKERS": "0"])
        }
        #expect(error?.description.hasPrefix("the variable WEBIMAGE_WORKERS") == true)
    }

    @Test("settings have names of their own, which no other begins with a difference of spelling")
    func names() {
        let names = ServerSetting.all.map(\.name)
        #expect(Set(names).count == names.count)
        for setting in ServerSetting.all {
            #expect(setting.name.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber })
            #expect(setting.placeholder == nil || setting.help.contains("default") || setting.isList, "\(setting.name)")
        }
    }

    @Test("keys without salts, and presets that name nothing, are told at the start")
    func contradictions() {
        var settings = PictureServerSettings()
        settings.keys = ["aa"]
        #expect(throws: PictureServerError.self) { try ServiceRules(settings) }
        settings.keys = []
        settings.presets = ["a=pr:b"]
        let failure = #expect(throws: PictureServerError.self) { try ServiceRules(settings) }
        #expect(failure?.description == "the preset a: b is no preset of this service")
    }

    @Test(
        "networks have addresses of one kind",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("::1", "::1", true),
            ("127.0.0.1", "127.0.0.2", false), ("fd00::/8", "fd12::1", true), ("0.0.0.0/0", "::1", false),
            ("192.168.1.128/25", "192.168.1.127", false), ("192.168.1.128/25", "192.168.1.129", true),
        ])
    func networks(network: String, address: String, isInside: Bool) throws {
        #expect(try #require(Network(network)).contains(address) == isInside)
    }

    @Test(
        "what is no network is none",
        arguments: ["", "10.0.0.0/33", "a", "10.0.0", "10.0.0.0/", "::/129", "1.2.3.4/8/8"])
    func noNetworks(text: String) { #expect(Network(text) == nil) }

    @Test("addresses to listen at", arguments: ["127.0.0.1", ":x", "[::1:80", "a:b:80", "nowhere.invalid:0"])
    func wrongPlaces(text: String) {
        #expect(throws: PictureServerError.self) { _ = try ListeningSocket(text).name }
    }
}

/// The texts that people read of the server.
@Suite("Documentation of the server")
struct ServerDocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("Docs/Server.md has all settings, in their words")
    func settings() throws {
        let text = try String(contentsOf: Self.root.appending(path: "Docs/Server.md"), encoding: .utf8)
        let rows = ServerSetting.all.map { "| `\($0.name)` | \($0.help) |" }
        #expect(text.contains(rows.joined(separator: "\n")), "\(rows.filter { !text.contains($0) })")
    }

    @Test("the file of settings that is installed can be read, also with its comments taken away")
    func sample() throws {
        let path = Self.root.appending(path: "data/server/serve.conf").path
        var settings = PictureServerSettings()
        try settings.apply(file: path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("#") && !line.hasPrefix("# ") {
            guard !line.contains("...") else { continue }
            _ = try SettingsFile(String(line.dropFirst()))
        }
    }
}
