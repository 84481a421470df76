import FoundationEssentials

/// The small files that `scripts/make-fixtures` writes; they are part of the project and always there.
enum Fixtures {
    /// The bytes of a file in `Tests/Fixtures`.
    static func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path(name)))
    }

    /// The absolute path of a file in `Tests/Fixtures`.
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).appending(path: "../../Fixtures/\(name)").standardized.path()
    }
}
