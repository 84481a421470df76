import CGtk4
import Foundation
import WebImage
import WebImageTesting
import XCTest

@testable import webimage_gallery

/// Files that are dropped onto the window.
final class FileDropTests: GTKTestCase, @unchecked Sendable {
    func testFilesAndFoldersAreSources() {
        onMainThread {
            initializeGTK()
            withFiles(["file:///tmp/a%20b.jpg", "mtp://phone/DCIM"]) { value in
                XCTAssertEqual(
                    FileDrop.sources(in: value), [.place("file:///tmp/a%20b.jpg"), .place("mtp://phone/DCIM")])
            }
            withFiles([]) { XCTAssertEqual(FileDrop.sources(in: $0), []) }
            var text = GValue()
            g_value_init(&text, g_type_from_name("gchararray"))
            XCTAssertEqual(FileDrop.sources(in: &text), [])
        }
    }

    func testADropShowsItsPicturesInPlaceOfTheOthers() throws {
        try onGallery { gallery in
            var problems: [String] = []
            let contents = GalleryContents(gallery, loader: ImageLoadersManager.shared) { problems.append($0) }
            try drop([pictures.absoluteString], onto: gallery)
            XCTAssertEqual(contents.sources, [.place(pictures.absoluteString)])
            iterate(until: { gallery.grid.items.contains { $0.title == "islands-07.jpg" } }, "the pictures")
            try drop(["file:///nonexistent/folder"], onto: gallery)
            iterate(until: { gtk_widget_get_mapped(gallery.pages.message.widget) != 0 }, "the message")
            XCTAssertEqual(problems.count, 1)
            XCTAssertTrue(gallery.pages.message.text.hasPrefix("/nonexistent/folder: "), gallery.pages.message.text)
            try drop([pictures.appending(path: "islands-07.jpg").absoluteString], onto: gallery)
            iterate(until: { gallery.grid.items.map(\.name) == ["islands-07.jpg"] }, "the picture")
            iterate(until: { gallery.grid.visibleCell(at: 0) != nil }, "its cell")
        }
    }

    func testFilesAboveTheWindowShowWhereTheyWillGo() throws {
        try onGallery { gallery in
            let sign = try XCTUnwrap(gallery.dropSign)
            XCTAssertFalse(sign.isShown)
            try hover(over: gallery)
            XCTAssertTrue(sign.isShown)
            iterate(until: { gtk_widget_get_mapped(sign.widget) != 0 }, "the sign")
            let target = try XCTUnwrap(dropTarget(of: gallery.window))
            emit("leave", of: gtk_drop_target_get_type(), from: target)
            XCTAssertFalse(sign.isShown)
            try hover(over: gallery)
            try drop(["file:///nonexistent/folder"], onto: gallery)
            XCTAssertFalse(sign.isShown, "it ends with the drop")
        }
    }

    /// Emits the signal of the window's drop target.
    @MainActor
    private func hover(over gallery: GalleryWindow) throws {
        let target = try XCTUnwrap(dropTarget(of: gallery.window))
        let type = gtk_drop_target_get_type()
        var parameters = [GValue(), GValue(), GValue()]
        g_value_init(&parameters[0], type)
        g_value_set_object(&parameters[0], UnsafeMutableRawPointer(target))
        for index in 1...2 { g_value_init(&parameters[index], g_type_from_name("gdouble")) }
        var result = GValue()
        g_value_init(&result, gdk_drag_action_get_type())
        g_signal_emitv(parameters, g_signal_lookup("enter", type), 0, &result)
        XCTAssertEqual(g_value_get_flags(&result), GDK_ACTION_COPY.rawValue)
        g_value_unset(&parameters[0])
    }

    func testADropEndsASearch() throws {
        try onMainThread {
            let gallery = try makeGallery(width: 800)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let contents = GalleryContents(gallery, loader: ImageLoadersManager.shared) { _ in }
            gallery.header.beginSearch()
            gtk_editable_set_text(OpaquePointer(gallery.header.entry), "57")
            iterate(until: { gallery.grid.items.count == 1 }, "the picture that is found")
            try drop([pictures.absoluteString], onto: gallery)
            XCTAssertFalse(gallery.header.isSearching)
            iterate(until: { gallery.grid.items.contains { $0.title == "islands-07.jpg" } }, "all pictures of the drop")
            XCTAssertEqual(contents.sources.count, 1)
        }
    }

    func testADropWithoutPicturesEmptiesAllPages() throws {
        try onGallery { gallery in
            let contents = GalleryContents(gallery, loader: ImageLoadersManager.shared) { _ in }
            contents.show([try XCTUnwrap(PictureSource(pictures.path))])
            iterate(until: { gallery.grid.items.contains { $0.title == "islands-07.jpg" } }, "the pictures")
            for page in [GalleryPage.hashes, .animations] { gallery.pages.show(page) }
            iterate(until: { gallery.pages.all.allSatisfy { !$0.items.isEmpty } }, "the pages")
            try drop(["file:///nonexistent/folder"], onto: gallery)
            iterate(until: { gtk_widget_get_mapped(gallery.pages.message.widget) != 0 }, "the message on this page")
            for grid in gallery.pages.all { XCTAssertTrue(grid.items.isEmpty) }
        }
    }

    func testLoadingEverythingAgainReadsTheFolderAgainAndLeavesTheDiskToPicturesOfTheWeb() throws {
        try onMainThread {
            let gallery = try makeGallery(width: 800)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let folder = try TemporaryDirectory()
            func addPicture(_ name: String) throws {
                try FileManager.default.copyItem(
                    at: pictures.appending(path: "islands-07.jpg"), to: URL(filePath: "\(folder.path)/\(name)"))
            }
            try addPicture("a.jpg")
            let contents = GalleryContents(gallery, loader: ImageLoadersManager.shared) { _ in }
            contents.show([try XCTUnwrap(PictureSource(folder.path))])
            iterate(until: { gallery.grid.items.map(\.name) == ["a.jpg"] }, "the picture")
            store(gallery)
            try addPicture("b.jpg")
            g_action_group_activate_action(OpaquePointer(gallery.window), "reload", nil)
            iterate(until: { gallery.grid.items.map(\.name) == ["a.jpg", "b.jpg"] }, "both pictures")
            XCTAssertEqual(fileCount(gallery), 1)
            gallery.show([try XCTUnwrap(URL(string: "http://pictures.invalid/a.jpg"))], from: "the web")
            g_action_group_activate_action(OpaquePointer(gallery.window), "reload", nil)
            iterate(until: { gallery.grid.items.map(\.name) == ["a.jpg", "b.jpg"] }, "the sources once more")
            XCTAssertEqual(fileCount(gallery), 0)
        }
    }

    @MainActor
    private func store(_ gallery: GalleryWindow) {
        var isStored = false
        Task {
            try await gallery.cache.store(DiskCacheEntry(data: Data(count: 10)), for: CacheKey("a"))
            isStored = true
        }
        iterate(until: { isStored }, "a file in the cache")
    }

    @MainActor
    private func fileCount(_ gallery: GalleryWindow) -> Int? {
        var count: Int?
        Task { count = await gallery.cache.usage().count }
        iterate(until: { count != nil }, "what is in the cache")
        return count
    }

    func testASourceToBeLookedAtOnceIsNotRemembered() throws {
        try onMainThread {
            let gallery = try makeGallery(width: 800)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let contents = GalleryContents(gallery, loader: SuspendedLoader()) { _ in }
            XCTAssertNil(contents.remembered)
            contents.show([try XCTUnwrap(PictureSource("http://host/list"))], isRemembered: false)
            XCTAssertEqual(contents.sources.count, 1)
            XCTAssertNil(contents.remembered)
            try drop([pictures.absoluteString], onto: gallery)
            XCTAssertEqual(contents.remembered, [.place(pictures.absoluteString)])
        }
    }

    func testTheHeaderSaysWhatIsBeingReadUntilItIsRead() throws {
        try onMainThread {
            let gallery = try makeGallery(width: 800)
            defer { gtk_window_destroy(gallery.window.of(GtkWindow.self)) }
            let loader = SuspendedLoader()
            let contents = GalleryContents(gallery, loader: loader) { _ in }
            contents.show([try XCTUnwrap(PictureSource("http://host/list"))])
            gallery.order.isDescending = true
            XCTAssertEqual(gallery.header.subtitleText, "reading http://host/list…")
            iterate(until: { !loader.loads.isEmpty }, "the load of the list")
            loader.loads[0].finish(Data("a.jpg".utf8))
            iterate(until: { gallery.header.subtitleText == "1 picture · http://host/list" }, "the end of the reading")
        }
    }

    func testADropTakesThePlaceOfAListThatIsStillBeingLoaded() throws {
        try onGallery { gallery in
            let loader = SuspendedLoader()
            let contents = GalleryContents(gallery, loader: loader) { _ in }
            contents.show([try XCTUnwrap(PictureSource("http://host/list"))])
            iterate(until: { !loader.loads.isEmpty }, "the load of the list")
            contents.show([try XCTUnwrap(PictureSource(pictures.path))])
            iterate(until: { loader.loads[0].isCancelled }, "the end of that load")
            loader.loads[0].finish(Data("late.jpg".utf8))
            iterate(until: { gallery.grid.items.contains { $0.title == "islands-07.jpg" } }, "the pictures")
            drawFrames(3, of: gallery.window)
            XCTAssertTrue(gallery.grid.items.contains { $0.title == "islands-07.jpg" }, "they stay")
        }
    }

    private var pictures: URL {
        URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/webimage-gallery/Pictures").standardizedFileURL
    }

    /// Emits the signal of the window's drop target.
    @MainActor
    private func drop(_ uris: [String], onto gallery: GalleryWindow) throws {
        let target = try XCTUnwrap(dropTarget(of: gallery.window))
        withFiles(uris) { value in
            let type = gtk_drop_target_get_type()
            var parameters = [GValue(), GValue(), GValue(), GValue()]
            g_value_init(&parameters[0], type)
            g_value_set_object(&parameters[0], UnsafeMutableRawPointer(target))
            g_value_init(&parameters[1], g_value_get_type())
            g_value_set_boxed(&parameters[1], value)
            for index in 2...3 { g_value_init(&parameters[index], g_type_from_name("gdouble")) }
            var result = GValue()
            g_value_init(&result, g_type_from_name("gboolean"))
            g_signal_emitv(parameters, g_signal_lookup("drop", type), 0, &result)
            XCTAssertNotEqual(g_value_get_boolean(&result), 0)
            for index in 0...1 { g_value_unset(&parameters[index]) }
        }
    }

    @MainActor
    private func dropTarget(of window: Widget) -> OpaquePointer? {
        let controllers: OpaquePointer = gtk_widget_observe_controllers(window)
        defer { g_object_unref(UnsafeMutableRawPointer(controllers)) }
        for index in 0..<g_list_model_get_n_items(controllers) {
            guard let controller = g_list_model_get_item(controllers, index) else { continue }
            g_object_unref(controller)
            let instance = controller.assumingMemoryBound(to: GTypeInstance.self)
            if g_type_check_instance_is_a(instance, gtk_drop_target_get_type()) != 0 {
                return OpaquePointer(controller)
            }
        }
        return nil
    }

    @MainActor
    private func withFiles(_ uris: [String], _ body: (UnsafePointer<GValue>) -> Void) {
        var files: [OpaquePointer?] = uris.map { g_file_new_for_uri($0) }
        defer { for file in files { g_object_unref(UnsafeMutableRawPointer(file)) } }
        let list = gdk_file_list_new_from_array(&files, gsize(files.count))
        var value = GValue()
        g_value_init(&value, gdk_file_list_get_type())
        g_value_take_boxed(&value, UnsafeRawPointer(list))
        body(&value)
        g_value_unset(&value)
    }
}
