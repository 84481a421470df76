import WebImage
import WebImageCommandLine

/// The options of a load, for `load` and `explain`.
struct LoadingOptions: Sendable {
    var thumbnail: PixelBox?
    var isRaw = false
    var pixels = PixelOptions()
    var cacheDirectory: String?
    var ignoresCache = false
    var refreshes = false
    var followsServer = false
    var request = RequestOptions()
    /// How often a load begins again after a failure that may pass.
    var retries: Int?
    var transfer = TransferOptions()
    /// All that were given, with repetitions.
    var options: [WebImageOptions] = []

    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .value(
                "thumbnail", .pixelBox, property.appending(path: \.thumbnail),
                help:
                    "decode to fit into WxH pixels, into W by W, or into one side (Wx, xH);\nproportions kept, never enlarged"
            ),
            .value(
                "cache", .text("DIR", completion: .directories), property.appending(path: \.cacheDirectory),
                help:
                    "the cache to use, made where it is not there; one that can only be read is\nread; see webimage cache --help"
            ),
            .flag(
                "no-cache", property.appending(path: \.ignoresCache), help: "neither read the cache nor write it"),
            .flag(
                "http-cache", property.appending(path: \.followsServer),
                help:
                    "obey the servers by the rules of HTTP: use what is fresh, ask whether the\nrest has changed, keep what may be kept"
            ),
            .flag("refresh", property.appending(path: \.refreshes), help: "load anew, and store what came"),
            .value(
                "retry", .integer(0...100), property.appending(path: \.retries),
                help:
                    "load again after a failure that may pass, N times at most, after half a second,\na second and so on"
            ),
            .values(
                "option", .webImageOption, property.appending(path: \.options),
                help: "an option of WebImageOptions, by its name; as often as needed"),
        ] + RequestOptions.options(of: property.appending(path: \.request))
            + TransferOptions.options(of: property.appending(path: \.transfer))
            + PixelOptions.options(of: property.appending(path: \.pixels))
    }

    /// For the notes of a command's help.
    static var notes: String {
        "The names for --option are \(WebImageOptions.byName.map(\.key).inWords()).".wrapped(to: 116).joined(
            separator: "\n")
    }

    /// The options that do less than they seem to.
    var caveats: [String] {
        guard transfer.deniesPrivateAddresses, !request.ignoresProxies, EnvironmentProxy.isSet else { return [] }
        return [
            "--deny-private sees no host behind the proxy of the environment, but the proxy's own address; add --no-proxy"
        ]
    }

    func check() throws(UsageError) {
        try pixels.check(thumbnail: thumbnail, isRaw: isRaw)
        if ignoresCache && refreshes { throw UsageError("--no-cache and --refresh do not go together; choose one") }
        if ignoresCache && cacheDirectory != nil {
            throw UsageError("--no-cache and --cache do not go together; choose one")
        }
        if ignoresCache && followsServer {
            throw UsageError("--no-cache and --http-cache do not go together; choose one")
        }
        if ignoresCache && transfer.resumes {
            throw UsageError("--no-cache and --resume do not go together; choose one")
        }
    }
}

extension OptionValue where Value == WebImageOptions {
    /// One of the library's options.
    static var webImageOption: Self {
        Self(
            placeholder: "NAME", expectation: "the name of an option, as --help lists them",
            completion: .words(WebImageOptions.byName.map(\.key)),
            parse: { name in WebImageOptions.byName.first { $0.key.lowercased() == name.lowercased() }?.value })
    }
}
