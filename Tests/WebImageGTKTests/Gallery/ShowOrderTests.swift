import FoundationEssentials
import Testing
import WebImage

@testable import webimage_gallery

@Suite @MainActor struct ShowOrderTests {
    private let samples = SamplePictures.load().samples
    private static let cellsOfTheFirstScreen = 24

    @Test("a program that has lost its pictures has none")
    func lost() { #expect(SamplePictures.load(beside: URL(filePath: "/nowhere/program")).samples.isEmpty) }

    @Test("every sample is shown once")
    func complete() {
        let names = ShowOrder.arrange(samples).map(\.name)
        #expect(names.sorted() == samples.map(\.name).sorted())
        #expect(names.count > Self.cellsOfTheFirstScreen)
    }

    @Test("the first screen has every format, transparency, an upright and a very wide picture")
    func firstScreen() throws {
        let pictures = try ShowOrder.arrange(samples).prefix(Self.cellsOfTheFirstScreen).map {
            try ImageCodersManager.shared.decode($0.data, options: ImageDecodeOptions())
        }
        #expect(Set(pictures.map(\.metadata.format)) == [.jpeg, .png, .webP, .gif])
        #expect(pictures.contains { !$0.bitmap.isOpaque && $0.metadata.format == .png })
        #expect(pictures.contains { !$0.bitmap.isOpaque && $0.metadata.format == .webP })
        let proportions = pictures.map { Double($0.pixelSize.width) / Double($0.pixelSize.height) }
        #expect(proportions.contains { $0 < 0.75 })
        #expect(proportions.contains { $0 >= 2.5 })
    }
}
