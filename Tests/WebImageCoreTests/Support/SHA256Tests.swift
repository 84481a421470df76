import Glibc
import Testing
import WebImageCore

@Suite("SHA-256", .timeLimit(.minutes(5)))
struct SHA256Tests {
    @Test("the digest is that of FIPS 180-2, appendix B.1")
    func knownDigest() {
        let digest = SHA256.firstHalf(of: "abc")
        #expect(digest.high == 0xBA78_16BF_8F01_CFEA)
        #expect(digest.low == 0x4141_40DE_5DAE_2223)
    }

    @Test("a disk cache that still works while the process ends does not crash it")
    func usableAtExit() async {
        await #expect(processExitsWith: .success) {
            // Handlers run in reverse order: this one after any that OpenSSL registers when it starts.
            atexit { _ = SHA256.firstHalf(of: "while the process ends") }
            _ = SHA256.firstHalf(of: "before")
            exit(0)
        }
    }
}
