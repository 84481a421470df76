import CGtk4
import XCTest

@testable import webimage_gallery

/// When servers are asked for, and when a question is taken back.
final class VolumeMounterTests: GTKTestCase, @unchecked Sendable {
    /// A mounter whose questions the test answers.
    @MainActor
    private final class Stage {
        let window = TestWindow.make()
        private(set) var asked: [(uri: String, mounting: Mounting)] = []
        private(set) var problems: [String] = []
        private var answers: [CheckedContinuation<SourceProblem?, Never>] = []
        private(set) lazy var mounter = VolumeMounter(window) { [weak self] uri, mounting in
            self?.asked.append((uri, mounting))
            return await withCheckedContinuation { self?.answers.append($0) }
        }

        @discardableResult
        func mount(_ uri: String) -> Task<Void, Never> {
            Task {
                do throws(SourceProblem) { try await mounter.mount(uri) } catch { problems.append(error.message) }
            }
        }

        func answer(_ problem: String) {
            for answer in answers { answer.resume(returning: SourceProblem(message: problem)) }
            answers = []
        }

        func close() {
            answer("the end")
            gtk_window_destroy(window.of(GtkWindow.self))
        }
    }

    private func onStage(_ body: @MainActor (Stage) throws -> Void) throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage()
            defer { stage.close() }
            try body(stage)
        }
    }

    func testAPlaceThatCannotBeMountedSaysSo() throws {
        try onMainThread {
            try requireDisplay()
            let window = TestWindow.make()
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            let mounter = VolumeMounter(window)
            var problem: String?
            Task {
                do throws(SourceProblem) { try await mounter.mount("resource:///org/gtk") } catch {
                    problem = error.message
                }
            }
            iterate(until: { problem != nil }, "the answer")
            XCTAssertEqual(problem?.hasSuffix("phones and servers need GVfs"), true, problem ?? "")
        }
    }

    func testAServerIsAskedForOnceForAllOfItsFilesAlsoAfterARefusal() throws {
        try onStage { stage in
            for name in ["a", "b", "c"] { stage.mount("sftp://host/\(name)") }
            stage.mount("sftp://other/a")
            iterate(until: { stage.asked.count == 2 }, "two questions")
            stage.answer("refused")
            iterate(until: { stage.problems.count == 4 }, "the answers")
            stage.mount("sftp://host/d")
            iterate(until: { stage.problems.count == 5 }, "the same answer")
            XCTAssertEqual(stage.asked.map(\.uri), ["sftp://host/a", "sftp://other/a"])
        }
    }

    func testAnotherReadingMayAskAgainAndJoinsAQuestionThatIsOpen() throws {
        try onStage { stage in
            let first = stage.mount("sftp://host/a")
            iterate(until: { stage.asked.count == 1 }, "the question")
            first.cancel()
            stage.mounter.keep(["sftp://host/b"])
            stage.mount("sftp://host/b")
            XCTAssertFalse(stage.asked[0].mounting.cancellable.isCancelled)
            stage.answer("refused")
            iterate(until: { stage.problems.count == 2 }, "the answer to both")
            XCTAssertEqual(stage.asked.count, 1)
            stage.mounter.keep(["sftp://host/b"])
            stage.mount("sftp://host/b")
            iterate(until: { stage.asked.count == 2 }, "another question")
        }
    }

    func testAReadingThatWasCancelledBeforeAsksNothing() throws {
        try onStage { stage in
            stage.mount("sftp://host/a").cancel()
            iterate(until: { stage.problems.count == 1 }, "the end of the reading")
            XCTAssertTrue(stage.asked.isEmpty)
        }
    }

    func testAQuestionThatNobodyWaitsForIsTakenBackWithItsDialog() throws {
        try onStage { stage in
            let count = windowCount
            stage.mount("sftp://host/a")
            iterate(until: { stage.asked.count == 1 }, "the question")
            let mounting = stage.asked[0].mounting
            askForPassword(mounting.operation)
            XCTAssertEqual(windowCount, count + 1)
            stage.mounter.keep(["sftp://other/a"])
            XCTAssertTrue(mounting.cancellable.isCancelled)
            XCTAssertEqual(windowCount, count, "the dialog is closed")
            stage.mount("sftp://host/a")
            iterate(until: { stage.asked.count == 2 }, "a question of its own")
        }
    }

    @MainActor
    private var windowCount: Int { Int(g_list_model_get_n_items(gtk_window_get_toplevels())) }

    /// As GVfs does.
    @MainActor
    private func askForPassword(_ operation: UnsafeMutablePointer<GMountOperation>) {
        var values = [GValue](repeating: GValue(), count: 5)
        g_value_init(&values[0], g_mount_operation_get_type())
        g_value_set_object(&values[0], operation)
        for (index, text) in ["The password", "ada", "home"].enumerated() {
            g_value_init(&values[index + 1], g_type_from_name("gchararray"))
            g_value_set_string(&values[index + 1], text)
        }
        g_value_init(&values[4], g_ask_password_flags_get_type())
        g_value_set_flags(&values[4], G_ASK_PASSWORD_NEED_PASSWORD.rawValue)
        g_signal_emitv(values, g_signal_lookup("ask-password", g_mount_operation_get_type()), 0, nil)
        for index in values.indices { g_value_unset(&values[index]) }
    }
}
