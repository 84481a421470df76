import WebImage
import WebImageCore
import WebImageMemcached

/// The settings of a ``PictureServer``. Each can be set by a property, by an option of `webimage serve`, by an environment
/// variable, and by a line of a file; Docs/Server.md lists them.
public struct PictureServerSettings: Sendable {
    // MARK: Clients

    /// The address and port at which it listens: `127.0.0.1:8080` by default, `*:8080` for all addresses of this machine, port 0 for one that is free.
    public var listen = "127.0.0.1:8080"
    /// Pictures that are made at a time: the number of processors by default.
    public var workers = ProcessorCount.current
    /// Pictures that wait to be made; with more, clients get 429 at once. By default 64 for each worker.
    public var queue: Int?
    /// Pictures that one client waits for at a time; nil, the default, for any number.
    public var clientLimit: Int?
    /// Addresses of proxies, as `10.0.0.0/8`, whose `X-Forwarded-For` is believed. Default none.
    public var trustedProxies: [String] = []
    /// Addresses, as `10.0.0.0/8`, that may send `PURGE`: this machine by default.
    public var purgeFrom = ["127.0.0.0/8", "::1/128"]
    /// Seconds for which a server that stops still takes requests, so that balancers see its `/health` before; 0 by default.
    public var drainTime = 0

    // MARK: Addresses

    /// Keys in hexadecimal digits, each for the salt at the same place: the first signs, all are accepted. Default none.
    public var keys: [String] = []
    /// Salts in hexadecimal digits.
    public var salts: [String] = []
    /// Bytes of a signature that count, 1 to 32: all by default.
    public var signatureBytes = 32
    /// Whether addresses without a right signature are served as well. Default false: without keys the server then listens at
    /// this machine's own addresses only.
    public var allowsUnsigned = false
    /// Options by name, as `name=width:300/quality:80`. One called `default` applies to all addresses. Default none.
    public var presets: [String] = []
    /// Whether addresses have names of presets only. Default false.
    public var onlyPresets = false

    // MARK: Sources

    /// Beginnings of sources that are served, such as `https://pictures.example/`; empty, the default, for all of http and https.
    public var sources: [String] = []
    /// Put before sources without a scheme. Default none.
    public var baseURL: String?
    /// The directory of sources that begin with `local:///`; nil, the default, for none.
    public var localRoot: String?
    /// Whether pictures are loaded from private addresses: this machine, private networks, links. Default false.
    public var allowsPrivate = false
    /// The place of S3-compatible storage; nil, the default, for Amazon's.
    public var s3Endpoint: String?
    /// The region of the storage; nil for that of the environment.
    public var s3Region: String?
    /// Whether sources that begin with `s3://` are served. Default false.
    public var allowsS3 = false

    // MARK: Limits

    /// Bytes of a source: 64 MiB by default.
    public var maximumSourceBytes = 64 << 20
    /// Pixels of a source: 120 million by default.
    public var maximumSourcePixels = 120_000_000
    /// Frames of an animation: 500 by default.
    public var maximumFrames = 500
    /// Pixels of a result: 50 million by default.
    public var maximumResultPixels = 50_000_000
    /// Seconds for fetching a source, and again for making a result: 30 by default.
    public var timeout = 30

    // MARK: Results

    /// Formats that a client's `Accept` chooses from, the first that it names: `avif`, `jxl` and `webp` by default.
    public var autoFormats: [ImageFormat] = ServedFormat.offered
    /// Whether `Sec-CH-Width` and `Sec-CH-DPR` count where an address says nothing. Default false.
    public var usesClientHints = false
    /// 1 to 100: 80 by default.
    public var quality = 80
    /// For a format of its own: AVIF 63 by default.
    public var formatQuality: [ImageFormat: Int] = [.avif: 63]
    /// Seconds for which clients keep a result, whatever its source says; nil, the default, for what the source says.
    public var age: Int?
    /// The same where the source says nothing: a day by default.
    public var defaultAge = 86_400
    /// The file of the picture for watermarks; nil, the default, for none.
    public var watermark: String?
    /// The file of the picture that is sent in place of an error's text; nil, the default, for none.
    public var fallbackImage: String?
    /// Seconds for which clients keep it: 60 by default.
    public var fallbackAge = 60
    /// Its status; nil, the default, for that of the error.
    public var fallbackStatus: Int?

    // MARK: Caches

    /// The directory of sources and results; nil for one in the user's cache directory.
    public var cache: String?
    /// Bytes of it: 4 GiB by default.
    public var cacheSize = 4 << 30
    /// Servers that all machines of a fleet share. Default none.
    public var memcached: [MemcachedServer] = []
    /// The largest file that they get, in bytes: a little less than 1 MiB by default, memcached's own limit (`-I`).
    public var memcachedItemBytes = (1 << 20) - 1024
    /// Seconds after which another machine makes the picture of one that has died: 15 by default.
    public var turnTime = 15

    /// The longest wait for a memcached.
    var memcachedTimeout = MemcachedSettings().timeout

    /// The place of the access log: `-`, the default, for standard output, a file's path, or `off`.
    public var accessLog = "-"

    /// The defaults.
    public init() {}
}
