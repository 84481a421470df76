import WebImage
import WebImageCore
import WebImageMemcached

extension ServerSetting {
    /// All settings, in the order of the documentation.
    public static let all = clients + addresses + sources + limits + results + caches

    private static let clients = [
        ServerSetting(
            "listen", "ADDRESS:PORT",
            "where it listens; 127.0.0.1:8080 by default, *:8080 for all addresses of this machine"
        ) { settings, text in settings.listen = text },
        number("workers", 1...1024, "pictures that are made at a time; the number of processors by default") {
            $0.workers = $1
        },
        number(
            "queue", 1...1_000_000,
            "pictures that wait to be made, before clients get 429; 64 for each worker by default"
        ) {
            $0.queue = $1
        },
        number("client-limit", 1...1_000_000, "pictures that one client waits for at a time; any number by default") {
            $0.clientLimit = $1
        },
        list(
            "trusted-proxy", "NETWORK",
            "a proxy, such as 10.0.0.0/8, whose X-Forwarded-For is believed; none by default"
        ) {
            settings, text throws(PictureServerError) in
            settings.trustedProxies.append(try network(text))
        },
        list("purge-from", "NETWORK", "who may send PURGE, besides this machine, such as 10.0.0.0/8; none by default") {
            settings, text throws(PictureServerError) in
            settings.purgeFrom.append(try network(text))
        },
        ServerSetting(
            "access-log", "FILE", "where requests are told as JSON lines; - by default, standard output; off for none"
        ) {
            settings, text in settings.accessLog = text
        },
        number(
            "drain-time", 0...3600,
            "seconds for which a server that stops takes requests, while /health is 503; 0 by default"
        ) {
            $0.drainTime = $1
        },
    ]

    private static let addresses = [
        list("key", "HEX", "a key of signatures, in hexadecimal digits; none by default") {
            settings, text throws(PictureServerError) in
            settings.keys.append(try digits(text))
        },
        list("salt", "HEX", "the salt of the key at the same place, in hexadecimal digits") {
            settings, text throws(PictureServerError) in
            settings.salts.append(try digits(text))
        },
        number("signature-bytes", 1...32, "bytes of a signature that count; 32 by default") { $0.signatureBytes = $1 },
        flag("unsigned", "serve addresses without a right signature as well") { $0.allowsUnsigned = $1 },
        list("preset", "NAME=OPTIONS", "options by name, such as small=rs:fit:300:300/q:80; none by default") {
            settings, text throws(PictureServerError) in
            _ = try OptionGrammar.preset(text)
            settings.presets.append(text)
        },
        flag("only-presets", "take names of presets in addresses, and no options") { $0.onlyPresets = $1 },
    ]

    private static let sources = [
        list(
            "sources", "PREFIX",
            "the beginning of sources that are served, such as https://pictures.example/; all by default"
        ) {
            settings, text in settings.sources.append(text)
        },
        ServerSetting("base-url", "URL", "put before sources without a scheme; none by default") { settings, text in
            settings.baseURL = text
        },
        ServerSetting("local-root", "DIRECTORY", "the directory of local:///PATH; none by default") { settings, text in
            settings.localRoot = text
        },
        flag("allow-private", "load from private addresses, too: this machine, private networks, links") {
            $0.allowsPrivate = $1
        },
        flag("s3", "serve s3://BUCKET/KEY, with the keys of the environment or of ~/.aws") { $0.allowsS3 = $1 },
        ServerSetting("s3-endpoint", "URL", "the place of other S3-compatible storage; Amazon's by default") {
            settings, text in
            settings.s3Endpoint = text
        },
        ServerSetting("s3-region", "REGION", "the storage's region; that of the environment by default") {
            settings, text in
            settings.s3Region = text
        },
    ]

    private static let limits = [
        number("max-source-bytes", 1...1 << 40, "bytes of a source; 67108864 by default") {
            $0.maximumSourceBytes = $1
        },
        number("max-source-pixels", 1...1 << 30, "pixels of a source; 120000000 by default") {
            $0.maximumSourcePixels = $1
        },
        number("max-frames", 1...100_000, "frames of an animation; 500 by default") { $0.maximumFrames = $1 },
        number("max-result-pixels", 1...1 << 28, "pixels of a result; 50000000 by default") {
            $0.maximumResultPixels = $1
        },
        number("max-time", 1...3600, "seconds for fetching a source, and for making a result; 30 by default") {
            $0.timeout = $1
        },
    ]

    private static let results = [
        ServerSetting(
            "auto-formats", "LIST",
            "formats that a client's Accept chooses from, the first that it names; avif,jxl,webp by default, none for none"
        ) { settings, text throws(PictureServerError) in
            settings.autoFormats = text == "none" ? [] : try text.split(separator: ",").map(format)
        },
        flag("client-hints", "take Sec-CH-Width and Sec-CH-DPR where an address says nothing") {
            $0.usesClientHints = $1
        },
        number("quality", 1...100, "quality of lossy formats; 80 by default") { $0.quality = $1 },
        list("format-quality", "FORMAT:N", "quality of one format; avif:63 by default") {
            settings, text throws(PictureServerError) in
            let parts = text.split(separator: ":")
            guard parts.count == 2, let quality = Int(parts[1]), 1...100 ~= quality else {
                throw PictureServerError("give a format and 1 to 100, such as webp:75")
            }
            settings.formatQuality[try format(parts[0])] = quality
        },
        number("age", 0...1 << 31, "seconds for which clients keep a result; what its source says by default") {
            $0.age = $1
        },
        number("default-age", 0...1 << 31, "the same where the source says nothing; 86400 by default") {
            $0.defaultAge = $1
        },
        ServerSetting("watermark", "FILE", "the picture for watermarks; none by default") { settings, text in
            settings.watermark = text
        },
        ServerSetting("fallback-image", "FILE", "the picture in place of an error's text; none by default") {
            settings, text in
            settings.fallbackImage = text
        },
        number("fallback-age", 0...1 << 31, "seconds for which clients keep it; 60 by default") { $0.fallbackAge = $1 },
        number("fallback-status", 200...599, "its status; that of the error by default") { $0.fallbackStatus = $1 },
    ]

    private static let caches = [
        ServerSetting("cache", "DIRECTORY", "the directory of sources and results; one in the user's caches by default")
        {
            settings, text in settings.cache = text
        },
        number("cache-size", 1...1 << 50, "bytes of it; 4294967296 by default") { $0.cacheSize = $1 },
        list(
            "memcached", "HOST:PORT,…",
            "servers that all machines of a fleet share, each HOST[:PORT][*WEIGHT]; none by default"
        ) {
            settings, text throws(PictureServerError) in
            for name in text.split(separator: ",") {
                guard let server = MemcachedServer(name.trimmed) else {
                    throw PictureServerError("\(name) is no HOST, HOST:PORT or HOST:PORT*WEIGHT")
                }
                settings.memcached.append(server)
            }
        },
        number(
            "memcached-item-bytes", 1024...1 << 30,
            "the largest file that they get; 1047552 by default, for memcached's -I 1m"
        ) {
            $0.memcachedItemBytes = $1
        },
        number(
            "turn-time", 1...3600,
            "seconds after which another machine makes the picture of one that has died; 15 by default"
        ) {
            $0.turnTime = $1
        },
    ]
}

// MARK: - Kinds of values

extension ServerSetting {
    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ help: String,
        _ set: @escaping @Sendable (inout PictureServerSettings, Int) -> Void
    ) -> ServerSetting {
        let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return ServerSetting(name, "N", help, expectation: expectation) { settings, text throws(PictureServerError) in
            guard let number = Int(text), range ~= number else { throw PictureServerError("give \(expectation)") }
            set(&settings, number)
        }
    }

    private static func flag(
        _ name: String, _ help: String, _ set: @escaping @Sendable (inout PictureServerSettings, Bool) -> Void
    ) -> ServerSetting {
        ServerSetting(name, nil, help) { settings, text throws(PictureServerError) in
            switch text.lowercased() {
            case "true", "yes", "on", "1": set(&settings, true)
            case "false", "no", "off", "0": set(&settings, false)
            default: throw PictureServerError("give true or false")
            }
        }
    }

    private static func list(
        _ name: String, _ placeholder: String, _ help: String, _ read: @escaping Reading
    ) -> ServerSetting {
        ServerSetting(name, placeholder, isList: true, help, read)
    }

    private static func digits(_ text: String) throws(PictureServerError) -> String {
        guard !text.isEmpty, AddressSignature.Pair(hexKey: text, hexSalt: "") != nil else {
            throw PictureServerError("give hexadecimal digits, two for each byte")
        }
        return text
    }

    private static func network(_ text: String) throws(PictureServerError) -> String {
        guard Network(text) != nil else { throw PictureServerError("give an address or a network, such as 10.0.0.0/8") }
        return text
    }

    private static func format(_ name: Substring) throws(PictureServerError) -> ImageFormat {
        guard let format = ImageFormat(fileExtension: name.trimmed) else {
            throw PictureServerError("\(name) is no format")
        }
        return format
    }
}

extension StringProtocol {
    /// Without the blanks around it.
    var trimmed: String {
        let text = drop(while: \.isWhitespace)
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...end])
    }
}
