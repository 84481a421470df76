import Testing

@testable import WebImage

@Suite("Fingerprint table")
struct FingerprintTableTests {
    @Test("slots whose fingerprints collide are told apart by the caller, and removal closes the gaps")
    func collisions() {
        var random = SplitMix(state: 3)
        var table = FingerprintTable()
        var model: [Int: Int] = [:]
        for _ in 0..<20_000 {
            let slot = Int.random(in: 0..<200, using: &random)
            if let fingerprint = model[slot] {
                table.remove(slot, for: fingerprint)
                model[slot] = nil
            } else {
                // Few different values, at both ends of the range: long probes that wrap around.
                let fingerprint = [-1, .max, .min, 0, 15, 31].randomElement(using: &random) ?? 0
                table.insert(slot, for: fingerprint)
                model[slot] = fingerprint
            }
            #expect(table.count == model.count)
        }
        for (slot, fingerprint) in model { #expect(table.slot(for: fingerprint) { $0 == slot } == slot) }
        for slot in 0..<200 where model[slot] == nil {
            for fingerprint in [-1, .max, .min, 0, 15, 31] {
                #expect(table.slot(for: fingerprint) { $0 == slot } == nil)
            }
        }
    }
}
