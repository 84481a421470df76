/// One setting of a server by its name: as an option `--max-time 20`, a variable `WEBIMAGE_MAX_TIME=20` and a line of a file
/// `max-time = 20`.
public struct ServerSetting: Sendable {
    /// In small letters, with hyphens.
    public let name: String
    /// The value's name in a help; nil for a switch.
    public let placeholder: String?
    /// Whether all values count, and not the last one alone.
    public let isList: Bool
    /// Its meaning, with unit and default.
    public let help: String
    /// The values that it takes, behind "give"; nil where its help says so.
    package private(set) var expectation: String?

    typealias Reading = @Sendable (inout PictureServerSettings, String) throws(PictureServerError) -> Void
    private let read: Reading

    init(
        _ name: String, _ placeholder: String?, isList: Bool = false, _ help: String, expectation: String? = nil,
        _ read: @escaping Reading
    ) {
        self.name = name
        self.placeholder = placeholder
        self.isList = isList
        self.help = help
        self.expectation = expectation
        self.read = read
    }

    /// Sets it.
    ///
    /// - Parameter text: The value; of a switch `true`, `yes`, `on` and `1`, or their contraries.
    /// - Throws: ``PictureServerError``, which names the setting and what it takes.
    public func apply(_ text: String, to settings: inout PictureServerSettings) throws(PictureServerError) {
        do throws(PictureServerError) {
            try read(&settings, text)
        } catch {
            throw PictureServerError("\(name) \(text): \(error.description)")
        }
    }

    var variable: String { "WEBIMAGE_" + name.uppercased().replacing("-", with: "_") }
}

/// Why a server cannot start, or does not take settings: one line, with what to do.
public struct PictureServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line.
    public let description: String

    init(_ description: String) { self.description = description }
}
