import FoundationEssentials
import WebImage
import WebImageTesting

extension WebImageDownloader {
    /// A downloader without a proxy, whatever the environment sets.
    static func direct(_ change: (inout WebImageDownloaderConfig) -> Void = { _ in }) -> WebImageDownloader {
        var config = WebImageDownloaderConfig()
        config.proxy = ""
        config.caCertificateFile = TestCertificates.authorityPath
        // A load that a test holds back must not time out on a busy machine.
        config.downloadTimeout = .seconds(120)
        config.connectTimeout = .seconds(120)
        change(&config)
        return WebImageDownloader(config: config)
    }

    /// Returns when the downloader has processed everything requested before: a load that is cancelled passes through
    /// it last.
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

/// Bytes that identify their positions: a pattern whose period is no power of two.
func sampleBytes(_ count: Int, seed: Int = 0) -> Data {
    let period = Data((0..<min(count, 9973)).map { UInt8(truncatingIfNeeded: ($0 + seed) &* 17 ^ ($0 >> 8)) })
    var bytes = period
    while bytes.count < count { bytes.append(period.prefix(count - bytes.count)) }
    return bytes
}

/// 100,000 zero bytes, compressed as by servers.
enum PackedZeros {
    static let count = 100_000
    /// By gzip.
    static let gzip =
        "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"
    /// By brotli.
    static let brotli = "X5+GgX8CIB4LBLL8AgA="
    /// 20,000,000 of them, by brotli.
    static let twentyMegabytes = "z///f/gnAOKxQCD3/j//WWLwTwDEYQGALkkM"
    /// 200,000,000 of them, by brotli, and again by brotli.
    static let twice =
        "j06Az///f/gnAOKxQCD3/p/////wTwDEYQGA7v0/////4Z8AiMMiAN37f/7//8M/ARCHBQC69//8//+HfwIgDgsAdO//+f//D/8EQBwWAOje//P/"
        + "/x/+CYA4LADQvf/n//8//BMAcVgAoHv/z///f/gnAOKwAED3/p/////wTwDEYQGA7v0/////4Z8AiMMCAN37//wPXsc/ARCHBQC6uesD"
}
