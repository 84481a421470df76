import Glibc
import WebImage

/// The permissions of an output for a file that exists.
package struct OutputRules: Sendable {
    /// Replaces also the command's own inputs.
    package var isForced = false
    /// Replaces nothing.
    package var keepsExisting = false
    /// The files that the command reads.
    package var inputs: Set<FileIdentity> = []

    package init() {}

    /// The options that set this property of a command.
    package static func options<Target>(of property: WritableKeyPath<Target, Self>) -> [CommandOption<Target>] {
        [
            .flag(
                "force", letter: "f", property.appending(path: \.isForced),
                help: "write also over a picture that is read; without it that is refused"),
            .flag(
                "no-clobber", letter: "n", property.appending(path: \.keepsExisting),
                help: "leave files that exist as they are"),
        ]
    }

    package func check() throws(UsageError) {
        guard isForced, keepsExisting else { return }
        throw UsageError("--force and --no-clobber do not go together; choose one")
    }

    /// Refuses early what a write to `path` would refuse.
    package func check(output path: String) throws(UsageError) {
        if protects(FileIdentity(path: path)) { throw UsageError("\(path.printable) \(Self.refusal)") }
    }

    /// Refuses a standard output that a shell has redirected into an input.
    package func checkStandardOutput() throws(UsageError) {
        if protects(FileIdentity(descriptor: STDOUT_FILENO)) { throw UsageError("standard output \(Self.refusal)") }
    }

    func protects(_ file: FileIdentity?) -> Bool {
        !isForced && !keepsExisting && file.map(inputs.contains) ?? false
    }

    func refusal(of path: String) -> WebImageError {
        WebImageError(.fileFailed, stage: .store, kind: .policy, reason: "\(path.printable) \(Self.refusal)")
    }

    private static let refusal =
        "would overwrite a picture that is read; give another name, or add --force to replace it"
}
