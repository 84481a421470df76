import Glibc

/// A network, `10.0.0.0/8`, or one address.
struct Network: Equatable {
    private let bytes: [UInt8]
    private let length: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = parts.first, let bytes = Self.bytes(of: String(address)) else {
            return nil
        }
        self.bytes = bytes
        guard parts.count == 2 else {
            length = bytes.count * 8
            return
        }
        guard let length = Int(parts[1]), 0...bytes.count * 8 ~= length else { return nil }
        self.length = length
    }

    /// - Parameter address: In numbers.
    func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        return (0..<length).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return bytes[bit / 8] & mask == other[bit / 8] & mask
        }
    }

    private static func bytes(of text: String) -> [UInt8]? {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return nil
    }
}
