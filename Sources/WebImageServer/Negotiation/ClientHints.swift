/// A browser's words about its screen (the fields `Sec-CH-Width` and `Sec-CH-DPR`). In steps, so that one address has few results.
struct ClientHints {
    /// Pixels of the place that the picture is for.
    let width: Int?
    /// Pixels of a point.
    let dpr: Double?

    init(_ headers: [String: String]) {
        width = headers["sec-ch-width"].flatMap { Int($0) }.flatMap { 1...16_384 ~= $0 ? ($0 + 49) / 50 * 50 : nil }
        dpr = headers["sec-ch-dpr"].flatMap { Double($0) }.flatMap {
            $0 > 0 && $0 <= 8 ? max(0.5, ($0 * 2).rounded() / 2) : nil
        }
    }

    /// The options with what the address leaves open.
    func applied(to options: ProcessingOptions) -> ProcessingOptions {
        var options = options
        if !options.hasOwnDPR, let dpr { options.dpr = dpr }
        if options.width == 0, options.height == 0, let width {
            // The hint counts pixels, an address points.
            options.width = max(1, (Double(width) / options.dpr).roundedToInt)
        }
        return options
    }
}
