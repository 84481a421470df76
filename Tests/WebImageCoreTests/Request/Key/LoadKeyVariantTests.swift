import Testing
import WebImageCore

@Suite("Names of unusual pixels")
struct LoadKeyVariantTests {
    private static func keys(_ change: (inout ImageDecodeOptions) -> Void) -> LoadKeys {
        var options = ImageDecodeOptions()
        change(&options)
        return LoadKeys(original: "a.jpg", options: options, transformerKey: nil, animatedClass: nil)
    }

    @Test("pixels of wide gamut have a name of their own in memory, and are no usual ones")
    func wideGamut() {
        let usual = Self.keys { _ in }
        let wide = Self.keys { $0.decodesToWideGamut = true }
        let bright = Self.keys { $0.decodesToHDR = true }
        let both = Self.keys {
            $0.decodesToWideGamut = true
            $0.decodesToHDR = true
        }
        #expect(usual.hasUsualPixels && !wide.hasUsualPixels)
        #expect(Set([usual, wide, bright, both].map(\.memory)).count == 4)
        #expect(Set([usual, wide, bright, both].map(\.pixels)).count == 4)
        #expect(usual.original == wide.original && usual.result == wide.result)
    }
}
