extension ImageDecodeOptions {
    /// Throws ``WebImageError/Code/badImageData`` unless the document has the requested page.
    package func checkPage(of format: ImageFormat, count: Int) throws(WebImageError) {
        guard !(0..<count).contains(pageIndex) else { return }
        throw WebImageError(
            .badImageData, stage: .decode, kind: .policy,
            reason: "there is no page \(pageIndex): the \(format) file has \(count), and the first is page 0")
    }
}
