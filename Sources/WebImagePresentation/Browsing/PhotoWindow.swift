/// The photos around the current one that are kept, and the order in which they are loaded.
package struct PhotoWindow: Sendable, Equatable {
    package let index: Int
    package let count: Int

    package init(around index: Int, of count: Int) {
        self.index = index
        self.count = count
    }

    /// The current one and its neighbours; all others are released.
    package var kept: Range<Int> { count > 0 ? max(0, index - 1)..<min(count, index + 2) : 0..<0 }

    /// The neighbours, the next one first. They are loaded when the current one has been.
    package var adjacent: [Int] { [index + 1, index - 1].filter { kept.contains($0) } }
}
