import Foundation
import Testing
import WebImageCore

@Suite("Checksums")
struct XXH3Tests {
    /// The results of `XXH3_64bits` of xxHash 0.8.1 for prefixes of the sequence 7, 38, 69, …: every code path that
    /// depends on the length.
    private static let vectors: [(count: Int, checksum: UInt64)] = [
        (0, 0x2d06_8005_38d3_94c2), (1, 0x4c5c_ca45_d0f4_811f), (3, 0x15f7_093b_173d_005c),
        (4, 0xdca0_12f9_5811_b6b9), (8, 0xdec6_a9a4_3575_982e), (9, 0xcbe3_9339_9f17_ffbd),
        (16, 0x7e48_4c18_d748_95d0), (17, 0x208b_de5e_e2be_d407), (32, 0x03df_0ac5_255d_1446),
        (64, 0xdd30_702a_b46b_3745), (128, 0xf92b_70ea_a21a_6288), (129, 0xf8f7_6713_f2bb_60fa),
        (240, 0xccc7_3751_72c4_1f03), (241, 0x0b3b_6309_48ce_4a00), (1024, 0x23bc_880e_bf0d_29c6),
        (1025, 0xc09f_dfbc_398c_7d82), (20480, 0x3c63_ff55_e3f3_e145),
    ]

    @Test("equal those of xxHash for every kind of length, at any alignment", arguments: 0..<8)
    func vectors(offset: Int) {
        for (count, checksum) in Self.vectors {
            let bytes =
                [UInt8](repeating: 0, count: offset) + (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) }
            #expect(XXH3.checksum(of: bytes.span.bytes.extracting(droppingFirst: offset)) == checksum, "\(count) bytes")
        }
    }
}
