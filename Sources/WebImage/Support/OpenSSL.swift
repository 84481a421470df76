import CCrypto

/// What must happen once per process before OpenSSL is used.
enum OpenSSL {
    /// OpenSSL would tear its tables down at exit(), under transfers and disk work that still run on other threads.
    private static let isStarted = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    static func start() { _ = isStarted }
}
