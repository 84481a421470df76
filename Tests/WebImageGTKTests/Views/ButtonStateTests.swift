import CGtk4
import XCTest

@testable import WebImageGTK

/// The picture that a button shows in a state.
final class ButtonStateTests: GTKTestCase, @unchecked Sendable {
    /// VIEW-14: the picture with the most flags, then the one with the strongest flag, finally the usual one.
    func testAStateFallsBackToWhatSaysMostAboutIt() {
        XCTAssertEqual(ButtonState.normal.fallbacks, [.normal])
        XCTAssertEqual(ButtonState.prelight.fallbacks, [.prelight, .normal])
        XCTAssertEqual(
            ButtonState([.active, .prelight, .checked]).fallbacks,
            [
                [.active, .checked, .prelight], [.active, .checked], [.active, .prelight], [.checked, .prelight],
                .active, .checked, .prelight, .normal,
            ])
        XCTAssertEqual(
            ButtonState([.insensitive, .checked]).fallbacks,
            [[.insensitive, .checked], .insensitive, .checked, .normal])
        XCTAssertEqual(ButtonState([.insensitive, .active, .checked, .prelight]).fallbacks.count, 16)
    }

    /// VIEW-14: focus, direction and other flags have no pictures.
    func testOtherFlagsOfAWidgetDoNotMatter() {
        let flags = GtkStateFlags(
            rawValue: GTK_STATE_FLAG_CHECKED.rawValue | GTK_STATE_FLAG_FOCUSED.rawValue
                | GTK_STATE_FLAG_DIR_LTR.rawValue | GTK_STATE_FLAG_BACKDROP.rawValue)
        XCTAssertEqual(ButtonState(flags), .checked)
    }

    /// VIEW-14
    func testEachPictureHasAKeyOfItsOwn() {
        let states: [ButtonState] = [.normal, .active, .prelight, .insensitive, .checked, [.checked, .prelight]]
        let places = states.flatMap { [ButtonPlace.image($0), .background($0)] } + [.alternateImage]
        XCTAssertEqual(Set(places.map(\.key)).count, places.count)
        XCTAssertEqual(ButtonPlace.image(.normal).key, "ButtonImageOperation0")
        XCTAssertEqual(ButtonPlace.background(.prelight).key, "ButtonBackgroundImageOperation2")
        XCTAssertEqual(ButtonPlace.alternateImage.key, "alternateImage")
    }

    /// VIEW-15: after all pictures for states with `checked`, before all without.
    func testTheAlternatePictureIsForCheckedButtons() {
        XCTAssertEqual(ButtonPlace.images(for: .checked), [.image(.checked), .alternateImage, .image(.normal)])
        XCTAssertEqual(ButtonPlace.images(for: .prelight), [.image(.prelight), .image(.normal)])
        XCTAssertEqual(
            ButtonPlace.images(for: [.checked, .prelight]),
            [
                .image([.checked, .prelight]), .image(.checked), .alternateImage, .image(.prelight), .image(.normal),
            ])
        XCTAssertFalse(ButtonPlace.backgrounds(for: .checked).contains(.alternateImage))
    }
}

/// How a picture and a label share a button's width.
final class ButtonRowTests: GTKTestCase, @unchecked Sendable {
    func testBothStandInTheMiddle() {
        let row = ButtonRow(picture: (16, 16), label: (10, 40), in: 100)
        XCTAssertEqual(row.picture, .init(origin: 19, length: 16))
        XCTAssertEqual(row.label, .init(origin: 41, length: 40))
    }

    func testALabelThatExpandsTakesWhatIsLeft() {
        let row = ButtonRow(picture: (16, 16), label: (10, 40), labelExpands: true, in: 100)
        XCTAssertEqual(row.picture, .init(origin: 0, length: 16))
        XCTAssertEqual(row.label, .init(origin: 22, length: 78))
    }

    func testThePictureGivesWayBeforeTheLabelIsTooNarrow() {
        let row = ButtonRow(picture: (8, 64), label: (30, 40), in: 60)
        XCTAssertEqual(row.picture, .init(origin: 0, length: 24))
        XCTAssertEqual(row.label, .init(origin: 30, length: 30))
    }

    /// Never less than the minimum, even where that exceeds the width.
    func testWithoutRoomBothGetTheirLeast() {
        let row = ButtonRow(picture: (16, 16), label: (30, 40), in: 20)
        XCTAssertEqual(row.picture, .init(origin: 0, length: 16))
        XCTAssertEqual(row.label, .init(origin: 22, length: 30))
    }

    func testFromTheRightThePictureIsOnTheRight() {
        let row = ButtonRow(picture: (16, 16), label: (10, 40), isRightToLeft: true, in: 100)
        XCTAssertEqual(row.picture, .init(origin: 65, length: 16))
        XCTAssertEqual(row.label, .init(origin: 19, length: 40))
    }
}
