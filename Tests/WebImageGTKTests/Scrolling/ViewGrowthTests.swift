import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Views that grow at moments when no new decode can start.
final class ViewGrowthTests: GTKTestCase, @unchecked Sendable {
    /// As during the resize of a window.
    func testAViewThatGrowsWhileItsPictureIsDecodedAnewGetsAnother() throws {
        try onMainThread {
            let stage = try shown()
            defer { stage.close() }
            grow(stage, to: 100)
            iterate(until: { stage.loader.loads.count == 2 }, "another decode")
            grow(stage, to: 200)
            XCTAssertEqual(stage.loader.loads.count, 2)
            stage.finish("a", .red)
            iterate(until: { stage.loader.loads.count == 3 }, "one for what the view has become")
            stage.finish("a", .red)
            iterate(until: { stage.height >= 200 }, "a picture as sharp as the view")
            drawFrames(stage, 4)
            XCTAssertEqual(stage.loader.loads.count, 3)
        }
    }

    /// The picture has the place of its placeholder.
    func testAViewThatGrowsBeforeItsPictureIsThereGetsASharpOne() throws {
        try onMainThread {
            let stage = try bound(placeholder: try Colour.green.image(width: 40, height: 30))
            defer { stage.close() }
            grow(stage, to: 200)
            XCTAssertEqual(stage.loader.loads.count, 1)
            stage.finish("a", .red)
            iterate(until: { stage.loader.loads.count == 2 }, "another decode")
            stage.finish("a", .red)
            iterate(until: { stage.height >= 200 }, "a picture as sharp as the view")
        }
    }

    /// A partial picture has its own proportions.
    func testAViewThatGrowsWhileItShowsPartsGetsASharpPicture() throws {
        try onMainThread {
            for display in [ProgressiveDisplay.topToBottom, .blurToSharp(duration: .seconds(0.05))] {
                let stage = try bound(.refreshCached, placeholder: nil) { stage in
                    stage.view(0).progressiveDisplay = display
                    stage.bind(0, to: "a", configure: { $0.originalStoreCacheType = .noCache })
                    self.iterate(until: { !stage.asked.isEmpty }, "the load")
                    stage.finish("a", .red)
                    self.iterate(until: { stage.view(0).image != nil }, "the picture in the cache")
                }
                defer { stage.close() }
                grow(stage, to: 200)
                stage.finish("a", .red)
                iterate(
                    until: {
                        stage.finish("a", .red)
                        return stage.height >= 200
                    }, "a picture as sharp as the view")
            }
        }
    }

    func testAViewThatGrowsWhileItsPictureIsLetGoGetsASharpOne() throws {
        try onMainThread {
            let loader = QuickLoader()
            // GTK's renderer keeps smaller ones in an atlas for another second.
            let stage = try bound(placeholder: nil, size: 150) {
                $0.bind(0, to: "1", placeholder: try? Colour.green.image(width: 40, height: 30)) {
                    $0.loader = loader
                    $0.originalStoreCacheType = .noCache
                }
            }
            defer { stage.close() }
            iterate(until: { stage.height >= 150 }, "the picture")
            drawFrames(stage, 4)
            iterate(until: { !stage.manager.isRunning }, "the end of all loads")
            weak let bitmap = stage.view(0).image?.bitmap
            loader.hold()
            gtk_widget_set_visible(stage.pictures[0], 0)
            Coordinator.of(stage.pictures[0]).loads.upkeep.drop(evenFromMemory: true)
            stage.cache.clear(.memory, completion: nil)
            iterate(until: { bitmap == nil }, "the end of the bitmap")
            gtk_widget_set_visible(stage.pictures[0], 1)
            iterate(until: { loader.held.loads.count == 1 }, "the load of what was let go")
            grow(stage, to: 220)
            XCTAssertEqual(loader.held.loads.count, 1)
            for count in 1...2 {
                iterate(until: { loader.held.loads.count == count }, "load \(count)")
                loader.held.loads.last?.finish(Colour(numbered: 1).file)
            }
            iterate(until: { stage.height >= 220 }, "a picture as sharp as the view")
        }
    }

    func testAPictureThatIsSeenThroughIsDecodedAnewToo() throws {
        try onMainThread {
            let stage = try shown()
            defer { stage.close() }
            stage.view(0).alpha = 0.5
            drawFrames(stage, 4)
            XCTAssertEqual(stage.loader.loads.count, 1)
            grow(stage, to: 200)
            iterate(until: { stage.loader.loads.count == 2 }, "another decode")
            stage.finish("a", .red)
            iterate(until: { stage.height >= 200 }, "a picture as sharp as the view")
        }
    }

    /// As long as it was partial, its size could not be changed.
    func testAPictureThatWasShownAsAPartIsLookedAtAgainAsTheWhole() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            var count = 0
            scene.display.resized = { count += 1 }
            let picture = try Colour.red.image(width: 64, height: 64)
            for expected in 1...2 {
                scene.display.show(step: picture, as: .blurToSharp(duration: .zero))
                scene.advanceFrames(self)
                XCTAssertEqual(count, expected)
            }
        }
    }

    /// A list on the screen whose only cell shows a picture at full sharpness.
    @MainActor
    private func shown() throws -> ListStage {
        let stage = try bound(placeholder: nil)
        stage.finish("a", .red)
        iterate(until: { stage.view(0).image != nil }, "the picture")
        drawFrames(stage, 4)
        XCTAssertEqual(stage.loader.loads.count, 1)
        return stage
    }

    /// A list on the screen whose only cell is bound when it has its size: by `prepare`, and with `options` if there
    /// are any.
    @MainActor
    private func bound(
        _ options: WebImageOptions = [], placeholder: Image?, size: Int32 = 64, _ prepare: ((ListStage) -> Void)? = nil
    ) throws -> ListStage {
        try requireDisplay()
        let stage = ListStage(pictures: 1, size: size)
        // No higher than the cell: where there is room, newer versions of GTK make rows as high as their pictures.
        gtk_window_set_default_size(stage.window.of(GtkWindow.self), 300, 40)
        stage.present(in: self)
        prepare?(stage)
        if prepare == nil || !options.isEmpty {
            stage.bind(0, to: "a", options, placeholder: placeholder) {
                $0.originalStoreCacheType = .noCache
            }
        }
        drawFrames(stage, 4)
        return stage
    }

    /// Makes the cell higher, and lets that be drawn and reported.
    @MainActor
    private func grow(_ stage: ListStage, to height: Int32) {
        gtk_widget_set_size_request(stage.pictures[0], 64, height)
        drawFrames(stage, 4)
    }
}

extension ListStage {
    /// The height of the first cell's picture, in points.
    fileprivate var height: Int {
        (view(0).image?.pixelSize.height ?? 0) / Int(gtk_widget_get_scale_factor(pictures[0]))
    }
}
