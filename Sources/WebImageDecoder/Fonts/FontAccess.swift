/// How workers get fonts, which only a program of its own has: it replaces functions of the C library.
package struct FontAccess: Sendable {
    /// The paths of the files that may be opened, in bytes.
    package var files: @Sendable () -> Set<[UInt8]>
    /// Folders whose files may be opened, with a slash at the end.
    package var folders: [String]
    /// Makes the calling worker ask on a connection for each file from now on.
    package var ask: @Sendable (_ connection: Int32) -> Void

    package init(
        files: @escaping @Sendable () -> Set<[UInt8]>, folders: [String] = [], ask: @escaping @Sendable (Int32) -> Void
    ) {
        self.files = files
        self.folders = folders
        self.ask = ask
    }
}
