import WebImageCore

/// What a file says of which only the beginning may be there.
package enum FileBeginning {
    /// What `body` reads; nil where it meets the end of what is there and more is to come.
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
