/// A user's name and password for a server that asks for them.
public struct DownloadCredential: Sendable, Hashable {
    /// The name.
    public var user: String
    /// The password.
    public var password: String

    /// The credential of `user`.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}
