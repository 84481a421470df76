/// How workers get fonts, which only a program of its own has: it replaces functions of the C library.
package struct FontAccess {
    /// The files that may be opened.
    package var files: () -> Set<String>
    /// Folders whose files may be opened.
    package var folders: [String]
    /// Makes the calling worker ask on a connection for each file from now on.
    package var ask: (_ connection: Int32) -> Void

    package init(files: @escaping () -> Set<String>, folders: [String] = [], ask: @escaping (Int32) -> Void) {
        self.files = files
        self.folders = folders
        self.ask = ask
    }
}
