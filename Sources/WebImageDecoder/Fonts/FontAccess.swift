/// How workers get fonts, which only a program of its own has: it replaces functions of the C library.
package struct FontAccess: Sendable {
    /// The files that may be opened.
    package var files: @Sendable () -> Set<String>
    /// Folders whose files may be opened.
    package var folders: [String]
    /// Makes the calling worker ask on a connection for each file from now on.
    package var ask: @Sendable (_ connection: Int32) -> Void

    package init(
        files: @escaping @Sendable () -> Set<String>, folders: [String] = [], ask: @escaping @Sendable (Int32) -> Void
    ) {
        self.files = files
        self.folders = folders
        self.ask = ask
    }
}
