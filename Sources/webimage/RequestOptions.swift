import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The options of a transfer, and of the processes that decode, that all commands share which read pictures.
struct RequestOptions: Sendable {
    /// In seconds; nil for the library's.
    var timeout: Double?
    var headers: [HeaderField] = []
    var user: UserOption?
    var acceptsAnyCertificate = false
    /// A file of certificate authorities.
    var authorities: String?
    var cookieFile: String?
    var hstsFile: String?
    /// Those of the environment.
    var ignoresProxies = false
    /// nil for the program's.
    var isolation: DecoderIsolation?

    /// The options that set this property of a command.
    static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .value(
                "timeout", .seconds, property.appending(path: \.timeout),
                help: "seconds without any byte until a load fails; 15 by default"),
            .values(
                "header", .headerField, property.appending(path: \.headers),
                help: "a field of HTTP requests, such as 'Referer: https://example.org/'; as often\nas needed"),
            .value(
                "user", .user, property.appending(path: \.user),
                help: "for servers that ask for a user; without PASSWORD it is asked for on the\nterminal"),
            .flag(
                "insecure", property.appending(path: \.acceptsAnyCertificate),
                help: "accept certificates that nobody vouches for, of any host"),
            .value(
                "cacert", .text("FILE", completion: .files), property.appending(path: \.authorities),
                help: "trust the certificate authorities in FILE (PEM), in place of the system's"),
            .value(
                "cookie-jar", .text("FILE", completion: .files), property.appending(path: \.cookieFile),
                help: "read cookies from FILE and write them there, in curl's format; made where it is\nnot there"),
            .value(
                "hsts", .text("FILE", completion: .files), property.appending(path: \.hstsFile),
                help: "remember in FILE which hosts want https only, in curl's format; made where it is\nnot there"),
            .flag(
                "no-proxy", property.appending(path: \.ignoresProxies),
                help: "ask hosts directly, whatever proxies the environment names"),
            .isolation(property.appending(path: \.isolation)),
        ]
    }

    /// Of ``user``, once the password is known.
    var credential: DownloadCredential? { user.map { DownloadCredential(user: $0.name, password: $0.password ?? "") } }

    func request(for url: URL) -> ImageLoadRequest {
        var request = ImageLoadRequest(url: url, headers: headers.byName, timeout: timeout.map { .seconds($0) })
        request.credential = credential
        request.allowsInvalidCertificates = acceptsAnyCertificate
        request.usesCookies = cookieFile != nil
        return request
    }

    func apply(to config: inout WebImageDownloaderConfig) {
        if let authorities { config.caCertificateFile = authorities }
        if let cookieFile { config.cookieFile = cookieFile }
        if let hstsFile { config.hstsFile = hstsFile }
        if ignoresProxies { config.proxy = "" }
    }

    /// Asks for the password of ``user`` where it is missing, and prepares the downloader and the coders that commands share.
    ///
    /// - Returns: nil when the command may go on.
    mutating func makeReady(on console: Console, command: String) async -> ExitCode? {
        apply(to: &WebImageDownloader.shared.config)
        if let isolation { ImageCodersManager.shared.isolation = isolation }
        guard let name = user?.name, user?.password == nil else { return nil }
        guard console.canAsk else {
            let problem = "--user \(name.printable): there is no terminal to ask for the password; write NAME:PASSWORD"
            return console.refuse(UsageError(problem), command: command)
        }
        do throws(WebImageError) {
            user?.password = try await LongWork.run { flag throws(WebImageError) in
                try console.password("Password of \(name.printable): ", until: flag)
            }
            return nil
        } catch {
            return console.fail(command, error)
        }
    }
}

/// The value of `--user`.
struct UserOption: Sendable, Equatable {
    let name: String
    /// nil where it was not written.
    var password: String?
}

extension OptionValue where Value == UserOption {
    /// A user, and the password after the first colon.
    static var user: Self {
        Self(placeholder: "NAME[:PASSWORD]", expectation: "a name, or a name, a colon and a password") { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return text.isEmpty ? nil : UserOption(name: parts[0], password: parts.count > 1 ? parts[1] : nil)
        }
    }
}
