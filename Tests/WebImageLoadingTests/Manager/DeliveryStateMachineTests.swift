import FoundationEssentials
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("Delivery state machine")
struct DeliveryStateMachineTests {
    private static let cancelled = DeliveryStateMachine.Event.cancelled(URL(string: "http://host/a.jpg"))
    private static let failure = LoadEnding(
        .failure(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late")))

    private static func picture(_ image: Image) -> LoadEnding {
        LoadEnding(.success(LoadResult(image: image, cacheType: .memory, url: URL(filePath: "/"))))
    }

    private static func part(_ image: Image) -> DeliveryStateMachine.Event { .updated(.partial(image)) }

    /// The only report of the machine now, as a word.
    private static func told(_ machine: inout DeliveryStateMachine) -> [String] {
        var words: [String] = []
        while let delivery = machine.takeDelivery() {
            switch delivery {
            case .update(.cached): words.append("cached")
            case .update(.preview): words.append("preview")
            case .update(.partial(let image)): words.append("part \(image.pixelSize.width)")
            case .update: words.append("an event that has a closure of its own")
            case .ending(let ending):
                words.append(ending.outcome.failure.map { "failed \($0.code.rawValue)" } ?? "picture")
            }
        }
        return words
    }

    @Test("updates are delivered in their order, and then the ending, once")
    func order() throws {
        var machine = DeliveryStateMachine()
        let image = try Image.plain(1, 1)
        let cached = LoadResult(image: image, cacheType: .memory, url: URL(filePath: "/"))
        #expect(machine.handle(.updated(.cached(cached))) == .deliver)
        #expect(!machine.isEnding)
        #expect(machine.handle(.ended(Self.picture(image))) == .deliver)
        #expect(!machine.isOpen)
        #expect(Self.told(&machine) == ["cached", "picture"])
        #expect(machine.isEnded)
        #expect(machine.handle(.ended(Self.failure)) == .nothing)
        #expect(machine.handle(Self.cancelled) == .nothing)
        #expect(Self.told(&machine).isEmpty)
    }

    @Test("a preview that waits for its callback queue goes with the picture, and stays before a failure")
    func preview() throws {
        let image = try Image.plain(1, 1)
        let small = LoadResult(image: image, cacheType: .memory, url: URL(filePath: "/"))
        for (ending, told) in [(Self.picture(image), ["picture"]), (Self.failure, ["preview", "failed 3000"])] {
            var machine = DeliveryStateMachine()
            _ = machine.handle(.updated(.preview(small)))
            _ = machine.handle(.updated(.partial(image)))
            _ = machine.handle(.ended(ending))
            #expect(Self.told(&machine).map { $0.hasPrefix("failed") ? told.last : $0 } == told)
        }
    }

    @Test("a preview comes once, and not after anything of the large picture")
    func onePreview() throws {
        let image = try Image.plain(1, 1)
        let small = LoadResult(image: image, cacheType: .memory, url: URL(filePath: "/"))
        for first in [DeliveryStateMachine.Event.updated(.preview(small)), .updated(.partial(image))] {
            var machine = DeliveryStateMachine()
            #expect(machine.handle(first) == .deliver)
            #expect(Self.told(&machine).count == 1)
            #expect(machine.handle(.updated(.preview(small))) == .nothing)
            #expect(Self.told(&machine).isEmpty)
        }
    }

    @Test("A3 a cancellation overtakes a picture that waits for its callback queue, and the updates before it")
    func cancelWhileDelivering() throws {
        var machine = DeliveryStateMachine()
        _ = machine.handle(Self.part(try .plain(1, 1)))
        _ = machine.handle(.ended(Self.picture(try .plain(2, 2))))
        #expect(machine.handle(Self.cancelled) == .stop)
        #expect(Self.told(&machine) == ["failed 2002"])
    }

    @Test("a failure that waits for its callback queue stays that failure")
    func cancelAfterFailure() {
        var machine = DeliveryStateMachine()
        _ = machine.handle(.ended(Self.failure))
        #expect(machine.handle(Self.cancelled) == .nothing)
        #expect(Self.told(&machine) == ["failed 3001"])
    }

    @Test("undelivered partial pictures do not pile up: the newest replaces the others")
    func parts() throws {
        var machine = DeliveryStateMachine()
        #expect(machine.handle(Self.part(try .plain(1, 1))) == .deliver)
        for width in 2...3 { #expect(machine.handle(Self.part(try .plain(width, 1))) == .nothing) }
        #expect(Self.told(&machine) == ["part 3"])
    }

    @Test("B31 an undelivered partial picture is dropped when the whole arrives")
    func partBeforeWhole() throws {
        var machine = DeliveryStateMachine()
        _ = machine.handle(Self.part(try .plain(1, 1)))
        #expect(machine.handle(.ended(Self.picture(try .plain(2, 2)))) == .deliver)
        #expect(machine.isEnding)
        #expect(Self.told(&machine) == ["picture"])
    }

    @Test("exactly one ending, and nothing after it, whatever happens in whatever order", arguments: 0..<500)
    func randomWalks(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let image = try Image.plain(1, 1)
        let events = [
            Self.part(image), Self.part(image), .ended(Self.picture(image)), .ended(Self.failure), Self.cancelled,
        ]
        var machine = DeliveryStateMachine()
        var words: [String] = []
        for _ in 0..<20 {
            if let event = events.randomElement(using: &random) { _ = machine.handle(event) }
            if Bool.random(using: &random) { words += Self.told(&machine) }
        }
        _ = machine.handle(Self.cancelled)
        words += Self.told(&machine)
        #expect(words.count { !$0.hasPrefix("part") } == 1)
        #expect(words.last?.hasPrefix("part") == false)
        #expect(machine.isEnded)
    }
}
