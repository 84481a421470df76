import Testing
import WebImageTesting

@testable import WebImage

@Suite("Memory entry table")
struct MemoryEntryTableTests {
    @Test("keys made to collide are told apart, and removal closes the gaps")
    func collisions() throws {
        var random = SeededGenerator(seed: 3)
        var table = MemoryEntryTable()
        var model: [CacheKey: (slot: Int, image: Image)] = [:]
        // Few different fingerprints, at both ends of the range: long probes that wrap around.
        let places: [UInt64] = [.max, 0, 15, 31, 1 << 63]
        let keys = (0..<200).map { CacheKey("\($0)", fingerprint: KeyFingerprint(low: places[$0 % 5], high: 7)) }
        for _ in 0..<20_000 {
            let key = keys.randomElement(using: &random) ?? keys[0]
            if let (slot, image) = model.removeValue(forKey: key) {
                let entry = table.remove(at: slot)
                #expect(entry.image === image && entry.cost == 9)
            } else {
                let image = try Image.sample()
                model[key] = (table.insert(MemoryEntry(image, for: key, cost: 9)), image)
            }
            #expect(table.count == model.count)
        }
        for key in keys { #expect(table.slot(for: key) == model[key]?.slot) }
        #expect(Set(table.slots) == Set(model.values.map(\.slot)))
    }

    @Test("keys of any length are compared to the last byte, whether they stand in their entry or apart")
    func lengths() throws {
        let image = try Image.sample()
        let fingerprint = KeyFingerprint(low: 5, high: 7)
        var table = MemoryEntryTable()
        let texts = [0, 1, 15, 16, 71, 72, 73, 144, 100_000].map { String(repeating: "x", count: $0) }
        var slots: [Int] = []
        for text in texts {
            slots.append(table.insert(MemoryEntry(image, for: CacheKey(text, fingerprint: fingerprint), cost: 1)))
        }
        for (text, slot) in zip(texts, slots) {
            #expect(table.slot(for: CacheKey(text, fingerprint: fingerprint)) == slot)
            let others = [text + "y", "\(text.dropLast())y", "y\(text.dropFirst())", text + "\0"]
            for other in others { #expect(table.slot(for: CacheKey(other, fingerprint: fingerprint)) == nil) }
        }
    }

    @Test("a table that goes frees its pictures")
    func freed() throws {
        weak var image: Image?
        do {
            var table = MemoryEntryTable()
            let sample = try Image.sample()
            image = sample
            for number in 0..<20 { _ = table.insert(MemoryEntry(sample, for: CacheKey("\(number)"), cost: 1)) }
        }
        #expect(image == nil)
    }
}
