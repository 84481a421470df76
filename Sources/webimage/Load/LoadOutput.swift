/// The outcome of a picture's output.
struct LoadOutput: Sendable {
    let path: String
    /// nil where the file existed and is left as it is.
    let byteCount: Int?
}
