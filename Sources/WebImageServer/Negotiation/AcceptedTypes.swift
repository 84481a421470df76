import WebImageCore

/// The media types of an `Accept` field (RFC 9110 §12.5.1).
struct AcceptedTypes {
    private let types: Set<String>

    init(_ field: String?) {
        types = Set(
            (field ?? "").split(separator: ",").compactMap { part in
                let parts = part.split(separator: ";").map(\.trimmed)
                // A weight of zero refuses the type.
                let isRefused = parts.dropFirst().contains {
                    ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0.lowercased())
                }
                return isRefused ? nil : parts.first?.lowercased()
            })
    }

    /// Whether the client names the format: `*/*` and `image/*` say nothing of formats that not all clients know.
    func names(_ format: ImageFormat) -> Bool { format.mimeType.map(types.contains) ?? false }
}
