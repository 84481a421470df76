import CCrypto

/// The global initialization of OpenSSL, once per process.
package enum OpenSSL {
    /// OpenSSL would free its tables at exit(), while transfers and disk work still run on other threads.
    private static let isStarted = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    package static func start() { _ = isStarted }
}
