extension Console {
    /// Prints warnings, unless only errors are wanted.
    ///
    /// - Parameter name: The picture that they concern; nil for all pictures.
    package func printWarnings(_ findings: [String], about name: String? = nil, _ report: ReportOptions) {
        guard !report.isQuiet else { return }
        for finding in findings { printError(["warning", name, finding].compactMap(\.self).joined(separator: ": ")) }
    }
}
