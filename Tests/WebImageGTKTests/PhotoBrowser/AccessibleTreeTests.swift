import CGtk4
import Foundation
import Synchronization
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// What screen readers see of a browser and its grid, read as they read it.
final class AccessibleTreeTests: GTKTestCase, @unchecked Sendable {
    private static let child = ChildTest(name: "WebImageGTKTests.AccessibleTreeTests/testInAProcessOnTheBus")

    /// Starts an accessibility bus and a process on it, because GTK decides once per process whether it has one.
    func testTree() throws {
        try onMainThread { try requireDisplay() }
        let (bus, registry) = try AccessibilityBus.start()
        defer {
            registry.stop()
            bus.stop()
        }
        try Self.child.run(
            expecting: 1, environment: ["GTK_A11Y": "atspi", AccessibilityBus.variable: bus.greeting])
    }

    func testInAProcessOnTheBus() throws {
        guard Self.child.isHere else { return }
        try onBrowser(3) {
            for index in 0..<3 {
                $0.app.thumbnails[index] = Photo(image: try Colour.blue.image())
                $0.app.photos[index].caption = "Photo number \(index)"
            }
            $0.app.thumbnails[0]?.name = "garden.jpg"
            $0.browser.displaySelectionButtons = true
        } test: { stage in
            load(in: stage)
            let bus = try AccessibilityBus()
            let pages = try read(bus) { $0.names(of: "button").contains("Actions") }
            XCTAssertEqual(pages.names(of: "image"), ["Photo number 0, 1 of 3"], pages.text)
            XCTAssertEqual(
                pages.names(of: "button"), ["All photos", "Actions", "Turn clockwise", "Select", "Full screen"],
                pages.text)
            XCTAssertEqual(pages.names(of: "label"), ["Photo number 0", "1 of 3"], pages.text)
            stage.browser.showGrid()
            let grid = try read(bus) { $0.names(of: "button").contains("Close") && !$0.names(of: "grid").isEmpty }
            XCTAssertEqual(grid.names(of: "grid"), ["Photos"], grid.text)
            let cells = ["garden.jpg", "Photo 2", "Photo 3"]
            XCTAssertEqual(grid.names(of: "grid cell"), cells, grid.text)
            XCTAssertEqual(grid.names(of: "image"), cells, grid.text)
            XCTAssertEqual(
                grid.names(of: "button"), cells.map { "Select \($0)" } + ["Close", "Full screen"], grid.text)
        }
    }

    /// Reads on another thread, while the main loop answers, until there is what the test waits for.
    @MainActor
    private func read(
        _ bus: AccessibilityBus, until isThere: @escaping @Sendable (AccessibleNode) -> Bool
    ) throws -> AccessibleNode {
        let reading = Reading()
        Thread {
            while !reading.isOver {
                guard let tree = bus.tree(), isThere(tree) else { continue }
                return reading.result.withLock { $0 = tree }
            }
        }.start()
        iterate(until: { reading.result.withLock { $0 != nil } }, "the tree on the bus")
        reading.isOver = true
        return try XCTUnwrap(reading.result.withLock { $0 })
    }

    private final class Reading: Sendable {
        let result = Mutex<AccessibleNode?>(nil)
        private let over = Mutex(false)

        var isOver: Bool {
            get { over.withLock { $0 } }
            set { over.withLock { $0 = newValue } }
        }
    }
}
