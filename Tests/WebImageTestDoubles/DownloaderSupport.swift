import FoundationEssentials
import WebImageHTTP
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
    /// 200,000,000 of them, by gzip, and again by gzip.
    static let twiceByGzip =
        "H4sIAJ9HB2sC/+3cvS6DcRjG4X+paEiowWTQw+jS+EqYJAbmxixGszcRk0Vit5lNVgmTM8DWnRhETOKV1lm893Udwj0+efJbveiU653Zo6n6/aHV"
        + "KqVUl7+3H525AgAAADRc9Xo2PT4GlF79vL13AAAAADTd4eJCe3IU+BmubJgDAAAAGu980O9OPgQ+T4/b5gAAAIDGW/4erU9uAU/13dK+PQAAAKDx"
        + "XgQDAAAAIIpgAAAAAGQRDAAAAIAsggEAAAAQRjAAAAAAsggGAAAAQBbBAAAAAMgiGAAAAABhBAMAAAAgi2AAAAAAZBEMAAAAgCyCAQAAABBGMAAA"
        + "AACyCAYAAABAFsEAAAAAyCIYAAAAAGEEAwAAACCLYAAAAABkEQwAAACALIIBAAAAEEYwAAAAALIIBgAAAEAWwQAAAADIIhgAAAAAYQQDAAAAIItg"
        + "AAAAAGQRDAAAAIAsggEAAAAQRjAAAAAAsggGAAAAQBbBAAAAAMgiGAAAAABhBAMAAAAgi2AAAAAAZBEMAAAAgCyCAQAAABBGMAAAAACyCAYAAABA"
        + "FsEAAAAAyCIYAAAAAGEEAwAAACCLYAAAAABkuRn0e+PHgO5XfbK2OVMA+Fddla3R7n15fJv/AxWVHYd19wIA"
    /// The head of a file by gzip, and the beginning of a block of zeros that ``gzipRepetition`` continues, as often as it
    /// comes: 158 zeros for each byte.
    static let gzipBeginning = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 99])
    static let gzipRepetition = (0..<1000).reduce(into: Data()) { bytes, _ in
        bytes += [24, 5, 163, 96, 20, 140, 130, 81, 48, 10, 70, 193, 40]
    }
}
