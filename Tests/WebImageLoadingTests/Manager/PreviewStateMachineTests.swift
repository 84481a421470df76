import FoundationEssentials
import Testing
import WebImageCore

@testable import WebImageLoading
@testable import WebImageTestDoubles

@Suite("The rules of a load with a preview")
struct PreviewStateMachineTests {
    private typealias Event = PreviewStateMachine.Event

    private static func result(_ side: Int) throws -> LoadResult {
        LoadResult(image: try .plain(side, side), cacheType: .noCache, url: URL(filePath: "/"))
    }

    private static let error = WebImageError(.timedOut, stage: .load, kind: .transient, reason: "late")

    /// The events by a letter: s and S end the small picture's load, with it and without; u brings an update of the large
    /// one; l, L and X end that, with it, by a failure and by a cancellation; c is the caller's cancellation.
    private static func event(_ letter: Character) throws -> Event {
        switch letter {
        case "s": .smallEnded(.success(try result(1)))
        case "S": .smallEnded(.failure(error))
        case "u": .updated(.partial(try .plain(2, 2)))
        case "l": .largeEnded(LoadEnding(.success(try result(9))))
        case "L": .largeEnded(LoadEnding(.failure(error)))
        case "X": .largeEnded(LoadEnding(.failure(.cancelled())))
        default: .cancelled
        }
    }

    private static func word(_ action: PreviewStateMachine.Action) -> String {
        switch action {
        case .cancel(let picture): "cancel \(picture)"
        case .tell(.preview): "preview"
        case .tell: "update"
        case .finish(let ending): ending.isFailure ? "failure" : "picture"
        }
    }

    private static func story(_ letters: String) throws -> [String] {
        var machine = PreviewStateMachine()
        return try letters.flatMap { machine.handle(try event($0)).map(word) }
    }

    @Test(
        "every order of events has its story",
        arguments: [
            ("sl", ["preview", "picture"]), ("sul", ["preview", "update", "picture"]),
            ("l", ["cancel small", "picture"]), ("ls", ["cancel small", "picture"]),
            ("us", ["cancel small", "update"]), ("usl", ["cancel small", "update", "picture"]),
            ("Sl", ["picture"]), ("SL", ["failure"]), ("sL", ["preview", "failure"]),
            ("L", []), ("Ls", ["preview", "failure"]), ("LS", ["failure"]), ("Lc", ["cancel small"]),
            ("X", ["cancel small", "failure"]), ("sX", ["preview", "failure"]),
            ("c", ["cancel small", "cancel large"]), ("sc", ["preview", "cancel large"]),
            ("csl", ["cancel small", "cancel large"]), ("Luls", ["preview", "failure"]),
        ])
    func stories(letters: String, story: [String]) throws {
        #expect(try Self.story(letters) == story)
    }

    @Test("whatever happens, there is one end, at most one preview, and none after anything of the large picture")
    func allOrders() throws {
        var words = [""]
        for _ in 0..<4 { words = words.flatMap { word in "sSulLXc".map { word + String($0) } } }
        for word in words {
            let story = try Self.story(word)
            #expect(story.count { $0 == "picture" || $0 == "failure" } <= 1, "\(word)")
            #expect(story.count { $0 == "preview" } <= 1, "\(word)")
            if let preview = story.firstIndex(of: "preview") {
                #expect(!story[..<preview].contains { $0 != "preview" }, "\(word)")
            }
        }
    }
}
