import CCrypto

/// OpenSSL, set up before anything else of this library uses it, libcurl included.
enum CryptoLibrary {
    /// True once OpenSSL can be used.
    ///
    /// It would free its tables when the process exits, and then end a program that just quits while a picture is still
    /// being stored on another thread by a crash. Only the first to set OpenSSL up can turn that off.
    static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
