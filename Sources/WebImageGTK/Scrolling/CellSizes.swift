import CGtk4
import WebImage

/// What the cells of a list have in common whose pictures are shown alike: a cover and a portrait of one cell are of two
/// kinds.
struct CellKind: Hashable {
    let place: ViewLoadKey
    let type: GType
    /// How deep it lies in the widgets around it.
    let depth: Int
    /// What the app wants of it, in points; -1 for a side that is left to the list.
    let sizeRequest: SizeRequest
    let fit: ContentFit
    let scaleFactor: Double

    struct SizeRequest: Hashable {
        let width: Int32
        let height: Int32

        /// Whether the list has something to say.
        var isOpen: Bool { min(width, height) <= 0 }
    }
}

/// What the pictures of each kind of cell were last decoded for, for the cells of a list that are not laid out yet.
struct CellSizes {
    /// Lists have a handful of kinds. More than that are sizes that are each cell's own.
    private static let limit = 64

    private var boxes: [CellKind: DecodeBox] = [:]
    /// The list's, with which its cells change theirs.
    private var width: Int32 = 0

    mutating func box(of kind: CellKind, width: Int32) -> DecodeBox? {
        forget(unless: width)
        return boxes[kind]
    }

    mutating func learn(_ box: DecodeBox, of kind: CellKind, width: Int32) {
        forget(unless: width)
        if boxes.count >= Self.limit { boxes.removeAll() }
        boxes[kind] = box
    }

    private mutating func forget(unless width: Int32) {
        guard width != self.width else { return }
        self.width = width
        boxes.removeAll()
    }
}
