import WebImage
import WebImageCommandLine

/// The report of one picture as JSON.
struct ShowRecord: Encodable {
    var load: LoadRecord
    /// The size of the drawing, in places of characters.
    var columns: Int?
    var rows: Int?
    /// The characters and control sequences.
    var drawing: String?

    private enum CodingKeys: CodingKey {
        case columns, rows, drawing
    }

    func encode(to encoder: any Encoder) throws {
        try load.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(columns, forKey: .columns)
        try container.encodeIfPresent(rows, forKey: .rows)
        try container.encodeIfPresent(drawing, forKey: .drawing)
    }
}
