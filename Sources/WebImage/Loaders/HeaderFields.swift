extension [String: String] {
    /// These header fields, with those of `fields` in place of theirs, in whatever case their names are.
    func overlaid(by fields: [String: String]) -> [String: String] {
        guard !fields.isEmpty else { return self }
        let names = Set(fields.keys.map { $0.lowercased() })
        return filter { !names.contains($0.key.lowercased()) }.merging(fields) { $1 }
    }

    /// Whether there is a field called `name`, which is in lower case.
    func hasField(_ name: String) -> Bool { keys.contains { $0.lowercased() == name } }
}
