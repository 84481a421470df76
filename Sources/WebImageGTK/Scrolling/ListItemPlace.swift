import CGtk4

/// The item of a list whose picture one of its cells shows. GTK tells that only to the list's factory.
final class ListItemPlace {
    private var item = WeakObject(nil)

    private static let key = "webimage-list-item"

    /// Notes that the cell of `picture` belongs to `item`, a `GtkListItem`.
    static func note(_ item: OpaquePointer, of picture: UnsafeMutablePointer<GtkWidget>) {
        let place = AssociatedObject.of(key, on: picture) { ListItemPlace() }
        guard place.item.with({ $0 == item.address }) != true else { return }
        place.item = WeakObject(item.address)
    }

    /// The position of the item that the cell of `picture` is bound to; nil where that is not known.
    static func position(of picture: UnsafeMutablePointer<GtkWidget>) -> Int? {
        guard let place: ListItemPlace = AssociatedObject.find(key, on: picture) else { return nil }
        let position = place.item.with { gtk_list_item_get_position(OpaquePointer($0)) }
        return position.flatMap { $0 == GTK_INVALID_LIST_POSITION ? nil : Int($0) }
    }
}
