import CGtk4
import Foundation
import Synchronization
import WebImage
import XCTest

@testable import WebImageGTK

/// The accessible tree of a browser and its grid, read as screen readers read it.
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
            try wait(
                on: bus,
                for: [
                    "image": ["Photo number 0, 1 of 3"],
                    "button": ["All photos", "Actions", "Turn clockwise", "Select", "Full screen"],
                    "label": ["Photo number 0", "1 of 3"],
                ])
            stage.browser.showGrid()
            let cells = ["garden.jpg", "Photo 2", "Photo 3"]
            try wait(
                on: bus,
                for: [
                    "grid": ["Photos"], "grid cell": cells, "image": cells,
                    "button": cells.map { "Select \($0)" } + ["Close", "Full screen"],
                ])
        }
    }

    /// Reads on another thread, while the main loop answers, until there are these names of each role: a tree may be read
    /// while it changes.
    @MainActor
    private func wait(on bus: AccessibilityBus, for names: [String: [String]]) throws {
        let reading = Reading()
        Thread {
            while !reading.isOver {
                guard let tree = bus.tree() else { continue }
                reading.latest.withLock { $0 = tree }
            }
        }.start()
        defer { reading.isOver = true }
        func isThere(_ tree: AccessibleNode?) -> Bool { names.allSatisfy { tree?.names(of: $0.key) == $0.value } }
        iterate(until: { isThere(reading.latest.withLock { $0 }) }, "the tree on the bus")
        let latest = try XCTUnwrap(reading.latest.withLock { $0 })
        XCTAssertTrue(isThere(latest), latest.text)
    }

    private final class Reading: Sendable {
        let latest = Mutex<AccessibleNode?>(nil)
        private let over = Mutex(false)

        var isOver: Bool {
            get { over.withLock { $0 } }
            set { over.withLock { $0 = newValue } }
        }
    }
}
