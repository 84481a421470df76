import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A grid on the screen whose loads all fail.
final class FailingGridTests: GTKTestCase, @unchecked Sendable {
    private static let count = 24

    func testEachCellSaysThatItHasFailedAndCanBeUsedAgain() throws {
        try onList(pictures: Self.count) { stage in
            stage.present(in: self)
            var endings: [WebImageError.Code] = []
            for index in 0..<Self.count {
                let view = stage.view(index)
                view.imageTransition = .fade
                view.imageIndicator = ActivityIndicator.medium
                stage.bind(index, to: "\(index)", .retryFailed) { $0.code.map { endings.append($0) } }
            }
            XCTAssertTrue(stage.pictures.allSatisfy { $0.has("webimage-loading") })
            iterate(until: { stage.asked.count == Self.count }, "all loads")
            for load in stage.loader.loads { load.fail(.scripted) }
            iterate(until: { endings.count == Self.count }, "the end of all loads")
            XCTAssertEqual(Set(endings), [.transferFailed])
            for picture in stage.pictures {
                XCTAssertEqual(["loading", "loaded", "failed"].filter { picture.has("webimage-\($0)") }, ["failed"])
                XCTAssertEqual(PictureView(picture).imageIndicator.map { gtk_widget_get_visible($0.indicatorView) }, 0)
            }

            for index in 0..<Self.count { stage.bind(index, to: "\(index)", .retryFailed) }
            iterate(until: { stage.asked.count == 2 * Self.count }, "all loads again")
            for index in 0..<Self.count { stage.finish("\(index)", Colour(numbered: index)) }
            iterate(until: { stage.pictures.allSatisfy { $0.has("webimage-loaded") } }, "all pictures")
            for index in 0..<Self.count { XCTAssertEqual(stage.view(index).image?.colour, Colour(numbered: index)) }
        }
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    fileprivate func has(_ styleClass: String) -> Bool { gtk_widget_has_css_class(self, styleClass) != 0 }
}
