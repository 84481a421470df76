import WebImageCore

/// Reads a file of which perhaps only the beginning has come.
package enum FileBeginning {
    /// The value that `body` reads; nil if it needs bytes that are still to come.
    ///
    /// - Parameters:
    ///   - isComplete: Whether nothing more comes.
    ///   - mayMend: Which errors more bytes may mend: by default that the file ends too early.
    package static func read<Found>(
        isComplete: Bool = false,
        mayMend: (WebImageError.Code) -> Bool = { $0 == .truncatedImageData },
        _ body: () throws(WebImageError) -> Found?
    ) throws(WebImageError) -> Found? {
        do throws(WebImageError) {
            return try body()
        } catch {
            guard !isComplete, mayMend(error.code) else { throw error }
            return nil
        }
    }
}
