import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: loaders of an app's own", .timeLimit(.minutes(5)))
struct OwnLoaderTests {
    private static func data(_ text: String) -> Data { Data(text.utf8) }

    @Test("LD-2 S4-25 the bytes of an app's own loader become the picture that the built-in loader's become")
    func whole() async throws {
        let data = try Fixtures.data("photo.jpg")
        let own = WebImageManager(
            cache: SuspendedCache(), loader: ClosureImageLoader(scheme: "store") { _ in data })
        let builtIn = WebImageManager(cache: SuspendedCache())
        let address = try parsed("store://a/photo.jpg")
        let same = "data:image/jpeg;base64,\(data.base64EncodedString())"
        var thumbnail = WebImageContext()
        thumbnail.thumbnailPixelSize = .square(40)
        var flipped = thumbnail
        flipped.transformer = BuiltInTransformer.flip(horizontal: true, vertical: false)
        for context in [WebImageContext(), thumbnail, flipped] {
            let mine = try await own.result(for: address, context: context).image
            let theirs = try await builtIn.result(for: parsed(same), context: context).image
            #expect(mine.pixelSize == theirs.pixelSize)
            #expect(mine.bitmap.bytes == theirs.bitmap.bytes)
            #expect(mine.metadata.format == theirs.metadata.format)
            #expect(!mine.metadata.isIncremental)
        }
    }

    @Test("LD-2 its parts are marked as such, and the whole is not; each load has a decoder, which gets each byte once")
    func parts() async throws {
        let coder = ScriptedProgressiveCoder()
        let bench = ManagerBench(coder: ScriptedCoder())
        for number in 1...2 {
            let own = SuspendedLoader()
            let load = try bench.load("\(number).jpg", .progressiveLoad) {
                $0.loader = own
                $0.coder = coder
            }
            let transfer = try await own.waitForLoads(1)[0]
            transfer.send(Self.data("4x3:"))
            try await load.story.waitForEvents(1)
            transfer.send(Self.data("a"))
            try await load.story.waitForEvents(2)
            transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "a"))
            let result = try await load.result()
            #expect(load.words == ["partial 4x3", "partial 4x3", "loaded 4x3"])
            #expect(load.story.partials.map(\.metadata.isIncremental) == [true, true])
            #expect(!result.image.metadata.isIncremental)
            #expect(coder.decoderCount == number)
        }
        #expect(coder.updates == ["4x3:", "a", "4x3:", "a"])
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("LD-2 the coder that was added last and can make parts makes them, if it will decode the whole, too")
    func order() async throws {
        let (older, newer) = (ScriptedProgressiveCoder(), ScriptedProgressiveCoder())
        // A coders manager asks its coders once it has enough bytes to tell any format.
        let file = "4x3:" + String(repeating: "a", count: 40)
        for (coders, counts) in [([older, newer], [0, 1]), ([newer, older], [1, 1])] {
            let bench = ManagerBench(coder: ImageCodersManager(coders: coders))
            let load = try bench.load("a.jpg", .progressiveLoad)
            try await bench.transfer().send(Self.data(file))
            try await load.story.waitForEvents(1)
            #expect([older, newer].map(\.decoderCount) == counts)
            load.cancel()
        }
        // The last one would decode the whole, and makes no parts.
        let bench = ManagerBench(coder: ImageCodersManager(coders: [older, ScriptedCoder()]))
        let load = try bench.load("a.jpg", .progressiveLoad)
        let transfer = try await bench.transfer()
        transfer.send(Self.data(file))
        transfer.finish(ScriptedCoder.file(4, 3))
        _ = try await load.result()
        #expect(load.words == ["loaded 4x3"])
        #expect(older.decoderCount == 1)
    }
}
