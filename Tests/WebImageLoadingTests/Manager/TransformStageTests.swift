import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImagePixels
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: transformers", .timeLimit(.minutes(5)))
struct TransformStageTests {
    private let bench = ManagerBench()
    private static let key = ManagerBench.key()

    @Test("PIPE-10 S4-20 the transformer's result is delivered and cached under its own name; the original is kept")
    func result() async throws {
        let transformer = ScriptedTransformer()
        let result = try await bench.load("a.jpg", .waitStoreCache, sending: ScriptedCoder.file(2, 2)) {
            $0.transformer = transformer
        }.get()
        let name = Self.key.transformed("Scripted")
        #expect(result.image.pixelSize == .square(3))
        #expect(result.image.metadata.isTransformed)
        #expect(transformer.keys == [name])
        #expect(bench.cache.memory[name] === result.image)
        #expect(bench.cache.memory.count == 1)
        #expect(bench.cache.disk[name]?.data == ScriptedCoder.file(3, 3))
        #expect(bench.cache.disk[Self.key]?.data == ScriptedCoder.file(2, 2))
    }

    @Test("A24 PIPE-14 a transformed picture has no bytes, wherever it comes from; an untransformed one has its own")
    func data() async throws {
        let context: (inout WebImageContext) -> Void = { $0.transformer = ScriptedTransformer() }
        let loaded = try await bench.load(
            "a.jpg", .waitStoreCache, sending: ScriptedCoder.file(2, 2), configure: context
        ).get()
        #expect(loaded.data == nil)
        #expect(try await bench.load(configure: context).result().data == nil)
        bench.cache.clear(.memory, completion: nil)
        let stored = try await bench.load(configure: context).result()
        #expect(stored.cacheType == .disk)
        #expect(stored.image.metadata.isTransformed)
        #expect(stored.data == nil)
        let impossible = try await bench.load("b.jpg", sending: ScriptedCoder.file(2, 2)) {
            $0.transformer = ScriptedTransformer { _ in nil }
        }.get()
        #expect(impossible.data == ScriptedCoder.file(2, 2))
    }

    @Test("PIPE-10 transformers run in the background, and the caller's thread continues")
    func background() async throws {
        let held = HeldTransform()
        let load = try bench.load { $0.transformer = held.transformer }
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        try await held.begin()
        #expect(load.words.isEmpty)
        held.goOn()
        _ = try await load.result()
    }

    @Test("PIPE-10 a picture that cannot be transformed is delivered as it is, and not cached as transformed")
    func impossible() async throws {
        let load = try bench.load("a.jpg", .waitStoreCache) {
            $0.transformer = ScriptedTransformer { _ in nil }
        }
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        let result = try await load.result()
        #expect(load.words == ["loaded 2x2"])
        #expect(!result.image.metadata.isTransformed)
        #expect(bench.cache.memory.isEmpty)
        #expect(bench.cache.stores == [Self.key])
    }

    @Test("CTX-7 PIPE-10 S4-23 the context's transformer goes before the manager's, and may be none")
    func managersTransformer() async throws {
        bench.manager.transformer = ScriptedTransformer("Manager")
        let load = try bench.load("a.jpg", .waitStoreCache)
        try await bench.transfer(1).finish(ScriptedCoder.file(2, 2))
        #expect(try await load.result().image.pixelSize == .square(3))
        _ = try await bench.load("b.jpg", .waitStoreCache, sending: ScriptedCoder.file(2, 2)) {
            $0.transformer = ScriptedTransformer("Own")
        }.get()
        let plain = try await bench.load("c.jpg", .waitStoreCache, sending: ScriptedCoder.file(2, 2)) {
            $0.transformer = .disabled
        }.get()
        #expect(plain.image.pixelSize == .square(2))
        #expect(!plain.image.metadata.isTransformed)
        #expect(
            Set(bench.cache.memory.keys) == [
                Self.key.transformed("Manager"), ManagerBench.key("b.jpg").transformed("Own"),
                ManagerBench.key("c.jpg"),
            ])
    }

    @Test("S4-22 a pipeline transforms from the first to the last, and its result is one picture in the caches")
    func pipeline() async throws {
        let doubled = ScriptedTransformer("Doubled") { try? .plain($0.pixelSize.width * 2, $0.pixelSize.height * 2) }
        let grown = ScriptedTransformer("Grown")
        for (pipeline, side) in [([doubled, grown], 5), ([grown, doubled], 6)] {
            let result = try await bench.load("a.jpg", .fromLoaderOnly, sending: ScriptedCoder.file(2, 2)) {
                $0.transformer = ImagePipelineTransformer(pipeline)
            }.get()
            #expect(result.image.pixelSize == .square(side))
        }
        #expect(
            Set(bench.cache.memory.keys) == [
                Self.key.transformed("Doubled-Grown"), Self.key.transformed("Grown-Doubled"),
            ])
    }

    @Test("B25 a transformer that returns its input leaves the shared picture in memory unmarked")
    func identity() async throws {
        let original = try await bench.load("a.jpg", .waitStoreCache, sending: ScriptedCoder.file(2, 2)).get().image
        let load = try bench.load { context in
            context.transformer = ScriptedTransformer { $0 }
            context.originalQueryCacheType = .memory
        }
        let transformed = try await load.result()
        #expect(transformed.cacheType == .memory)
        #expect(transformed.image.metadata.isTransformed)
        #expect(!original.metadata.isTransformed)
        #expect(bench.cache.memory[Self.key] === original)
    }

    @Test("metadata of the file is kept where the transformer says so, and its own bytes with it")
    func metadata() async throws {
        bench.cache.put(
            DiskCacheEntry(data: ScriptedCoder.file(2, 2), extendedData: Data("mine".utf8)), for: Self.key)
        let kept = try await bench.load { $0.transformer = ScriptedTransformer("Keeps") }.result().image
        #expect(kept.metadata.extendedData == Data("mine".utf8))
        #expect(kept.metadata.originalPixelSize == .square(2))
        let fresh = try await bench.load {
            $0.transformer = ScriptedTransformer("Drops", preservesImageMetadata: false)
        }.result().image
        #expect(fresh.metadata.extendedData == nil)
        #expect(fresh.metadata.isTransformed)
    }

    @Test("loads that want the same transform of the same picture share it")
    func shared() async throws {
        let transformer = ScriptedTransformer()
        let loads = try (0..<5).map { _ in
            try bench.load {
                $0.transformer = transformer
                $0.goApart()
            }
        }
        for transfer in try await bench.loader.waitForLoads(5) { transfer.finish(ScriptedCoder.file(2, 2)) }
        var images: Set<ObjectIdentifier> = []
        for load in loads { images.insert(ObjectIdentifier(try await load.result().image)) }
        // Loads whose bytes arrive after the first picture is finished make another one.
        #expect(transformer.count == images.count)
    }

    @Test("a transformer with an empty key would replace the original, and is not used")
    func emptyKey() async throws {
        let transformer = ScriptedTransformer("")
        let result = try await bench.load(sending: ScriptedCoder.file(2, 2)) { $0.transformer = transformer }.get()
        #expect(result.image.pixelSize == .square(2))
        #expect(transformer.count == 0)
    }
}
