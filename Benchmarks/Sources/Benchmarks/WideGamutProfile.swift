import CBareCodecs
import FoundationEssentials

/// ICC profiles as Little CMS writes them.
enum WideGamutProfile {
    static func displayP3() throws -> Data { try profile(isWide: true) }
    static func sRGB() throws -> Data { try profile(isWide: false) }

    private static func profile(isWide: Bool) throws -> Data {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = webimage_profile(isWide, &bytes, bytes.count)
        guard count > 0 else { throw BenchmarkError("Little CMS could not write a profile") }
        return Data(bytes.prefix(count))
    }
}
