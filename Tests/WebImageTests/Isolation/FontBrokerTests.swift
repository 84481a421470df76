import Foundation
import Testing
import WebImageTestSupport

@testable import WebImage
@testable import WebImageDecoder
@testable import WebImageTestDoubles

/// Which files the helper opens for its workers.
@Suite("Font broker")
struct FontBrokerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "fonts-\(UUID().uuidString)")

    /// The broker's error for a path, and whether a file came with it.
    private func answer(_ path: String, by broker: FontBroker) throws -> (code: Int32, hasFile: Bool) {
        let (own, other) = try PacketSocket.makePair()
        var questions = FontQuestions(connection: other)
        #expect(own.send(WorkerPacket(bytes: Array(path.utf8))) == .sent)
        #expect(broker.answer(&questions))
        guard case .packet(let packet) = own.receive(waits: false) else { return (-1, false) }
        return (packet.bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }, !packet.descriptors.isEmpty)
    }

    @Test("a file is opened whose path is listed byte by byte, or is in a folder; no other")
    func files() throws {
        let (composed, decomposed) = ("\u{E9}.ttf", "e\u{301}.ttf")
        try FileManager.default.createDirectory(at: folder.appending(path: "tables"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in [composed, decomposed, "tables/a"] {
            let file = open("\(folder.path)/\(name)", O_CREAT | O_WRONLY, 0o600)
            try #require(file >= 0)
            close(file)
        }
        let listed = Array("\(folder.path)/\(composed)".utf8)
        let broker = FontBroker(FontAccess(files: { [listed] }, folders: ["\(folder.path)/tables/"], ask: { _ in }))
        for name in [composed, "tables/a"] {
            let found = try answer("\(folder.path)/\(name)", by: broker)
            #expect(found.code == 0 && found.hasFile, "\(name)")
        }
        for name in [decomposed, "tables/../\(composed)", "tables/a\0", "tables", "other"] {
            let found = try answer("\(folder.path)/\(name)", by: broker)
            #expect(found.code == EACCES && !found.hasFile, "\(name)")
        }
    }
}
