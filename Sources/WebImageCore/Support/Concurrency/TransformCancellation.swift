/// The cancellation of the work on pixels that this thread performs.
package enum TransformCancellation {
    /// Nil outside of loads and commands.
    @TaskLocal package static var flag: CancellationFlag?

    /// - Throws: ``WebImageError/Code/cancelled`` when the flag is raised.
    package static func check() throws(WebImageError) {
        if flag?.isCancelled == true { throw .cancelled() }
    }
}
