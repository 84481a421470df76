extension String {
    /// The text as one word of a shell, in single quotes.
    var shellQuoted: String { "'\(replacing("'", with: "'\\''"))'" }

    /// The same for fish, which has escapes between single quotes.
    var fishQuoted: String { "'\(replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'" }
}
