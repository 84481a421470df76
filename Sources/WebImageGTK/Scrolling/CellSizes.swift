import CGtk4
import WebImage

/// The common properties of cells of a list that show pictures in the same way. A cover and a portrait within one cell
/// are of two kinds.
struct CellKind: Hashable {
    let place: ViewLoadKey
    let type: GType
    /// The number of widgets around it.
    let depth: Int
    /// The size request of the app, in points; -1 for a side that the list decides.
    let sizeRequest: SizeRequest
    let fit: ContentFit
    let scaleFactor: Double

    struct SizeRequest: Hashable {
        let width: Int32
        let height: Int32

        /// Whether the list decides a side.
        var isOpen: Bool { min(width, height) <= 0 }
    }
}

/// The latest decode size of each kind of cell, for cells of a list that have no layout yet.
struct CellSizes {
    /// A list has a handful of kinds. More than this means that each cell has its own size.
    private static let limit = 64

    private var boxes: [CellKind: DecodeBox] = [:]
    /// The width of the list; a change of it changes the sizes of its cells.
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
