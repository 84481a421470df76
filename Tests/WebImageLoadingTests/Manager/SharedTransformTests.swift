import FoundationEssentials
import Testing
import WebImageTesting

@testable import WebImageCore
@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: leaving a shared transform", .timeLimit(.minutes(5)))
struct SharedTransformTests {
    private let held = Gate()
    private let hasBegun = Gate()
    private let outcomes = Observed<[TransformStage.Outcome]>([])
    private let wasCancelled = Observed<[Bool]>([])
    private let decoded: DecodedImage

    init() throws { decoded = DecodedImage(try .plain(2, 2)) }

    /// Its transformer waits, and notes whether it was cancelled meanwhile.
    private func stage() throws -> TransformStage {
        let transformer = ScriptedTransformer(cancellable: { [held, hasBegun, wasCancelled] image, cancellation in
            hasBegun.open()
            held.waitBlocking()
            wasCancelled.update { $0.append(cancellation?.isCancelled == true) }
            return image.grown
        })
        let url = try ManagerBench.url()
        let plan = LoadPlan(
            url: url, request: ImageRequest(url, context: WebImageContext { $0.transformer = transformer }),
            defaults: LoadDefaults(cache: SuspendedCache(), loader: SuspendedLoader(), coder: ScriptedCoder()))
        return TransformStage(plan: plan, shared: SharedStages(work: PixelWork(queue: .withOwnThreads())))
    }

    private func start(_ stage: TransformStage) -> any CancellableTask {
        stage.transform(decoded, .beginning(byteCount: 0), priority: .normal) { [outcomes] outcome in
            outcomes.update { $0.append(outcome) }
        }
    }

    @Test("PIPE-10 one of two loads that share a transform may leave: it goes on for the other")
    func one() async throws {
        let stage = try stage()
        let loads = [start(stage), start(stage)]
        try await hasBegun.wait()
        loads[0].cancel()
        held.open()
        try await outcomes.wait { !$0.isEmpty }
        #expect(try outcomes.value.map { try $0.get().image.pixelSize } == [.square(3)])
        #expect(wasCancelled.value == [false])
        #expect(decoded.transforms["Scripted"] != nil)
    }

    @Test("PIPE-10 when both leave, the transform is cancelled, gives nothing to anyone, and a new load makes its own")
    func both() async throws {
        let stage = try stage()
        let loads = [start(stage), start(stage)]
        try await hasBegun.wait()
        for load in loads { load.cancel() }
        held.open()
        try await wasCancelled.wait { !$0.isEmpty }
        let next = start(stage)
        try await outcomes.wait { !$0.isEmpty }
        #expect(try outcomes.value.map { try $0.get().image.pixelSize } == [.square(3)])
        #expect(wasCancelled.value == [true, false])
        withExtendedLifetime(next) {}
    }
}
