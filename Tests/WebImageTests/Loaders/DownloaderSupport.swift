import FoundationEssentials
import WebImage
import WebImageTesting

extension WebImageDownloader {
    /// A downloader that asks servers themselves, whatever proxy the environment names.
    static func direct(_ change: (inout WebImageDownloaderConfig) -> Void = { _ in }) -> WebImageDownloader {
        var config = WebImageDownloaderConfig()
        config.proxy = ""
        config.caCertificateFile = TestCertificates.authorityPath
        // What a test holds back must not time out because the machine is busy with others.
        config.downloadTimeout = 120
        config.connectTimeout = 120
        change(&config)
        return WebImageDownloader(config: config)
    }

    /// Returns when everything that was asked of the downloader before has been looked at: a load that is cancelled
    /// goes the same way after it.
    func settle() async throws {
        let load = RecordedLoad(try parsed("http://127.0.0.1:1/"), by: self)
        load.cancel()
        _ = await load.error
    }
}

/// The URL that `text` is.
func parsed(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw NotURL(text: text) }
    return url
}

private struct NotURL: Error {
    let text: String
}

/// Bytes that tell places apart: a pattern whose period is no power of two.
func sampleBytes(_ count: Int, seed: Int = 0) -> Data {
    let period = Data((0..<min(count, 9973)).map { UInt8(truncatingIfNeeded: ($0 + seed) &* 17 ^ ($0 >> 8)) })
    var bytes = period
    while bytes.count < count { bytes.append(period.prefix(count - bytes.count)) }
    return bytes
}

/// 100,000 zero bytes as servers send them compressed.
enum PackedZeros {
    static let count = 100_000
    /// By gzip.
    static let gzip =
        "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"
    /// By brotli.
    static let brotli = "X5+GgX8CIB4LBLL8AgA="
}
