/// The pages of the window, in order.
nonisolated enum GalleryPage: Int, CaseIterable {
    /// All pictures.
    case pictures
    /// Pictures with a hash or a colour that shows while they load.
    case hashes
    /// Animations that play.
    case animations

    /// The one that the button shows; the first one after the last.
    var next: GalleryPage {
        switch self {
        case .pictures: .hashes
        case .hashes: .animations
        case .animations: .pictures
        }
    }

    /// The text of the page without pictures.
    var emptyMessage: String {
        switch self {
        case .pictures: "There are no pictures"
        case .hashes: "No picture has a hash or a colour"
        case .animations: "There are no animations"
        }
    }

    /// For the tooltip of the button that shows it.
    var description: String {
        switch self {
        case .pictures: "all pictures"
        case .hashes: "placeholders of hashes and colours"
        case .animations: "animations"
        }
    }
}
