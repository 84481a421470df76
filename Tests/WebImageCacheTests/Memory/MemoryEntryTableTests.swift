import Testing
import WebImageTesting

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("Memory entry table")
struct MemoryEntryTableTests {
    @Test("keys with the same place are distinguished, and removal closes the gaps")
    func sharedPlaces() throws {
        var random = SeededGenerator(seed: 3)
        var table = MemoryEntryTable()
        var model: [CacheKey: (slot: Int, image: Image)] = [:]
        // Few distinct slots, at both ends of the range: long probes that wrap around.
        let places: [UInt64] = [.max, 0, 15, 31, 1 << 63]
        let keys = (0..<200).map { number in
            CacheKey("\(number)", fingerprint: KeyFingerprint(low: places[number % 5], high: UInt64(number)))
        }
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
        for key in keys { #expect(table.slot(for: key.fingerprint) == model[key]?.slot) }
        #expect(Set(table.slots) == Set(model.values.map(\.slot)))
    }

    @Test("a released table frees its pictures")
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
