extension Console {
    /// Says what is not as somebody may think, unless only errors are wanted.
    ///
    /// - Parameter name: Of the picture that it is about; nil for all of them.
    package func printWarnings(_ findings: [String], about name: String? = nil, _ report: ReportOptions) {
        guard !report.isQuiet else { return }
        for finding in findings { printError(["warning", name, finding].compactMap(\.self).joined(separator: ": ")) }
    }
}
