import WebImageTesting

import FoundationEssentials

/// Damages files at random, deterministically for a seed.
package struct FileMutator {
    private var generator: SeededGenerator

    package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// `data` with a few bytes changed and, occasionally, a part removed, duplicated or truncated.
    package mutating func mutate(_ data: Data) -> Data {
        var bytes = Array(data)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1: bytes[index] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &generator) ?? 0
            default: bytes[index] = .random(in: 0...255, using: &generator)
            }
        }
        let start = Int.random(in: 0..<bytes.count, using: &generator)
        let part = start..<min(bytes.count, start + Int.random(in: 1...16, using: &generator))
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: bytes.removeSubrange(part)
        case 1: bytes.insert(contentsOf: bytes[part], at: start)
        case 2: bytes.removeSubrange(start...)
        default: break
        }
        return Data(bytes)
    }
}
