import Foundation
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageDecoder
@testable import WebImageIsolation
@testable import WebImageTestDoubles

/// The files that the helper opens for its workers.
@Suite("Font broker")
struct FontBrokerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "fonts-\(UUID().uuidString)")

    private typealias Answer = (code: Int32, hasFile: Bool, finding: WorkerFinding?)

    /// The broker's error for a name in the folder, whether a file came with it, and what is known of the worker then.
    private func answer(_ name: String, by broker: FontBroker) throws -> Answer {
        let (own, other) = try PacketSocket.makePair()
        var questions = FontQuestions(connection: other)
        #expect(own.send(WorkerPacket(bytes: Array("\(folder.path)/\(name)".utf8))) == .sent)
        #expect(broker.answer(&questions))
        guard case .packet(let packet) = own.receive(waits: false) else { return (-1, false, nil) }
        let code = packet.bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
        return (code, !packet.descriptors.isEmpty, questions.finding)
    }

    /// Two files whose names are the same text, but not the same bytes, and a table.
    private static let (composed, decomposed, table) = ("\u{E9}.ttf", "e\u{301}.ttf", "tables/a")

    /// Only the first of them is listed.
    private func makeBroker() throws -> FontBroker {
        try FileManager.default.createDirectory(at: folder.appending(path: "tables"), withIntermediateDirectories: true)
        for name in [Self.composed, Self.decomposed, Self.table] {
            let file = open("\(folder.path)/\(name)", O_CREAT | O_WRONLY, 0o600)
            try #require(file >= 0)
            close(file)
        }
        let listed = Array("\(folder.path)/\(Self.composed)".utf8)
        return FontBroker(FontAccess(files: { [listed] }, folders: ["\(folder.path)/tables/"], ask: { _ in }))
    }

    @Test("a file is opened whose path is listed byte by byte, or is in a folder; no other")
    func files() throws {
        let broker = try makeBroker()
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in [Self.composed, Self.table] {
            let found = try answer(name, by: broker)
            #expect(found.code == 0 && found.hasFile, "\(name)")
        }
        for name in [Self.decomposed, "tables/../\(Self.composed)", "tables/a\0", "tables", "other"] {
            let found = try answer(name, by: broker)
            #expect(found.code == EACCES && !found.hasFile, "\(name)")
        }
    }

    @Test("a listed file that is missing is a missing font, and what a folder lacks is none")
    func missing() throws {
        let broker = try makeBroker()
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["tables/none", "tables/", "tables/a/b"] {
            let found = try answer(name, by: broker)
            #expect(found.code == EACCES && found.finding == nil, "\(name)")
        }
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(Self.composed)")
        let found = try answer(Self.composed, by: broker)
        #expect(found.code == ENOENT && found.finding == .fontMissing)
    }
}
