/// A user name and password for a server that requests them.
public struct DownloadCredential: Sendable, Hashable {
    /// The name.
    public var user: String
    /// The password.
    public var password: String
    /// Signs requests with the password, instead of sending it to servers that request it; nil for none.
    package var signature: RequestSignature?

    /// The credential of `user`.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension DownloadCredential: CustomStringConvertible, CustomReflectable {
    /// The name, and not the password, which must not get into a log by accident.
    public var description: String { "\(user):***" }
    /// See ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
