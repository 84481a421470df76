import WebImage
import WebImageCommandLine

/// The limits of transfers, for `load` and `explain`.
struct TransferOptions: Sendable {
    /// Seconds for a whole transfer; nil for the library's.
    var maxTime: Double?
    /// Bytes a second of all transfers together.
    var rate: Int?
    var deniesPrivateAddresses = false
    var resumes = false

    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .value(
                "max-time", .seconds, property.appending(path: \.maxTime),
                help: "seconds for the whole transfer of a picture; 3600 by default"),
            .value(
                "limit-rate", .byteCount, property.appending(path: \.rate),
                help: "the most bytes a second of all transfers together, such as 200kB"),
            .flag(
                "deny-private", property.appending(path: \.deniesPrivateAddresses),
                help:
                    "load from addresses of the internet only: not from this machine, its files,\nprivate networks or links"
            ),
            .flag(
                "resume", property.appending(path: \.resumes),
                help: "keep what an interrupted transfer has brought in the cache, and go on after it"),
        ]
    }

    func apply(to config: inout WebImageDownloaderConfig) {
        if let maxTime { config.totalTimeout = .seconds(maxTime) }
        config.maximumBytesPerSecond = rate
        config.deniesPrivateAddresses = deniesPrivateAddresses
    }
}
