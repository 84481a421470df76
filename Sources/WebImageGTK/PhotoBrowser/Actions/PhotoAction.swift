/// An action on a photo.
enum PhotoAction: String, CaseIterable {
    case save, copy, openWith, print, share

    /// In menus.
    var title: String {
        switch self {
        case .save: "Save…"
        case .copy: "Copy"
        case .openWith: "Open With…"
        case .print: "Print…"
        case .share: "Send by Mail…"
        }
    }
}
