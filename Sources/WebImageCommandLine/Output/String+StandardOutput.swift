extension String {
    /// Whether an output of this name is standard output, whose redirection a rename would undo.
    package var isStandardOutput: Bool { ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(self) }
}
