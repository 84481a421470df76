import Testing
import WebImageCore

@Suite("Image limits")
struct ImageLimitsTests {
    private let large = PixelSize(width: 65_000, height: 65_000)
    private let small = PixelSize(width: 100, height: 100)

    private func failure(source: PixelSize, held: PixelSize) -> WebImageError? {
        do throws(WebImageError) {
            try ImageLimits().check(source: source, held: held)
            return nil
        } catch { return error }
    }

    @Test("a header that claims too much is refused by the name of the limit")
    func sourceLimit() throws {
        let error = try #require(failure(source: large, held: small))
        #expect(error.code == .limitExceeded)
        #expect(error.kind == .policy)
        #expect(error.description.contains("ImageLimits.maximumSourcePixelCount"))
        #expect(error.description.contains("65000×65000"))
    }

    @Test("a picture that fits the header's limit but not the memory's is refused, with advice")
    func heldLimit() throws {
        let size = PixelSize(width: 20_000, height: 20_000)
        let error = try #require(failure(source: size, held: size))
        #expect(error.code == .limitExceeded)
        #expect(error.description.contains("ImageLimits.maximumPixelCount"))
        #expect(error.description.contains("thumbnail"))
        #expect(failure(source: size, held: small) == nil)
    }

    @Test("sizes whose product overflows are refused")
    func overflow() {
        let size = PixelSize(width: .max, height: .max)
        #expect(failure(source: size, held: size)?.code == .limitExceeded)
    }
}
