/// The titles of a browser.
package enum PhotoTitles {
    /// "3 of 12"; nothing for a single photo.
    package static func page(_ index: Int, of count: Int) -> String {
        count > 1 ? "\(index + 1) of \(count)" : ""
    }

    /// "1 photo", "12 photos".
    package static func grid(count: Int, isSelecting: Bool) -> String {
        guard !isSelecting else { return "Select Photos" }
        return count == 1 ? "1 photo" : "\(count) photos"
    }
}
