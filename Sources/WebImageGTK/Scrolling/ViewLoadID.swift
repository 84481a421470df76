/// Identifies a load among those of all widgets.
struct ViewLoadID: Hashable, Sendable {
    let widget: UInt
    let number: UInt64
}
