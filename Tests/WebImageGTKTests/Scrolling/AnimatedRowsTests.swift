import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Jumps in a list whose rows have an avatar, a text and an animation.
final class AnimatedRowsTests: GTKTestCase, @unchecked Sendable {
    private static let rowCount = 400
    private static let underCairo = ChildTest(name: "WebImageGTKTests.AnimatedRowsTests/testJumpsUnderCairo")

    /// GTK warns, which fails a test, about a row that was changed while it was laid out; such a row is blank.
    func testNoRowIsBlankAfterAJump() throws {
        try onMainThread {
            try requireDisplay()
            for hasPlaceholder in [false, true] { try jump(500, hasPlaceholder: hasPlaceholder) }
        }
    }

    /// GTK takes OpenGL by itself wherever there is any.
    func testNoRowIsBlankUnderCairo() throws {
        try onMainThread { try requireDisplay() }
        try Self.underCairo.run(expecting: 1, environment: ["GSK_RENDERER": "cairo"])
    }

    func testJumpsUnderCairo() throws {
        guard Self.underCairo.isHere else { return }
        try onMainThread {
            try requireDisplay()
            try jump(100, hasPlaceholder: true)
        }
    }

    @MainActor
    private func jump(_ count: Int, hasPlaceholder: Bool) throws {
        let placeholder = hasPlaceholder ? try Colour.green.image(width: 8, height: 8) : nil
        let rows = try Rows(count: Self.rowCount, placeholder: placeholder)
        defer { rows.list.close() }
        iterate(until: { rows.isComplete }, "the first rows")
        var random = SeededGenerator(seed: 1)
        for _ in 0..<count {
            rows.list.scroll(to: Int.random(in: 0...rows.list.end, using: &random))
            drawFrames(1, of: rows.list.window)
        }
        // GTK makes no new cells for a jump beyond all that it has bound.
        jump(to: rows.list.end / 2, in: rows.list)
        iterate(until: { rows.isComplete }, "the last rows")
    }
}

@MainActor
private final class Rows {
    let list: LongList
    private static let side: Int32 = 40

    init(count: Int, placeholder: Image?) throws {
        let manager = try Self.manager()
        list = LongList(
            .list, count: count, manager: manager,
            bind: { list, item, position in
                if gtk_list_item_get_child(item) == nil { gtk_list_item_set_child(item, Self.makeRow()) }
                guard let row = gtk_list_item_get_child(item) else { return }
                for (number, picture) in Self.pictures(of: row).enumerated() {
                    PictureView(picture).setImage(
                        with: URL(filePath: number == 0 ? "/still/\(position)" : "/animation/\(position)"),
                        placeholder: placeholder, context: list.context)
                }
            })
    }

    private static func manager() throws -> WebImageManager {
        let coders = ImageCodersManager.shared
        let animation = try coders.encode(.lights(side: 24), to: .gif, options: ImageEncodeOptions())
        let still = try coders.encode(Colour.red.image(width: 24, height: 24), to: .png, options: ImageEncodeOptions())
        return WebImageManager(
            cache: SuspendedCache(), loader: ClosureImageLoader { $0.url.path.hasPrefix("/still") ? still : animation })
    }

    private static func makeRow() -> UnsafeMutablePointer<GtkWidget> {
        let row: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6)
        for _ in 0..<2 {
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            gtk_widget_set_size_request(picture, side, side)
            gtk_box_append(row.of(GtkBox.self), picture)
            gtk_box_append(row.of(GtkBox.self), gtk_label_new("a text"))
        }
        return row
    }

    private static func pictures(of row: UnsafeMutablePointer<GtkWidget>) -> [UnsafeMutablePointer<GtkWidget>] {
        sequence(first: gtk_widget_get_first_child(row)) { $0.map { gtk_widget_get_next_sibling($0) } }
            .compactMap { $0 }.filter { $0.isA(gtk_picture_get_type()) }
    }

    /// Whether all visible rows show both of their pictures.
    var isComplete: Bool {
        let seen = list.list.bound.keys.filter { gtk_widget_get_mapped($0) != 0 }
        return seen.count >= 10 && seen.allSatisfy { Self.pictures(of: $0).allSatisfy { PictureView($0).image != nil } }
    }
}
