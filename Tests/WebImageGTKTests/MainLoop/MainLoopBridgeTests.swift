import CGtk4
import CLinux
import Dispatch
import WebImage
import XCTest

@testable import WebImageGTK

final class MainLoopBridgeTests: GTKTestCase, @unchecked Sendable {
    func testTheMainActorRunsOnGTKsMainLoop() throws {
        try onMainThread {
            try requireDisplay()
            XCTAssertTrue(MainLoopBridge.install())
            XCTAssertTrue(MainLoopBridge.install())
            let threads = Recorder<Bool>()
            Task { @MainActor in threads.append(webimage_is_main_thread() != 0) }
            DispatchQueue.global().async {
                DispatchQueue.main.async { threads.append(webimage_is_main_thread() != 0) }
            }
            iterate(until: { threads.values.count == 2 }, "both jobs")
            XCTAssertEqual(threads.values, [true, true])
        }
    }

    func testResultsFromOtherThreadsArriveOnTheMainThread() throws {
        try onMainThread {
            try requireDisplay()
            let arrived = Recorder<Bool>()
            for _ in 0..<500 {
                DispatchQueue.global().async {
                    CompletionPump.shared.callbackQueue().run { arrived.append(webimage_is_main_thread() != 0) }
                }
            }
            iterate(until: { arrived.values.count == 500 }, "all results")
            XCTAssertTrue(arrived.values.allSatisfy { $0 })
        }
    }
}
