extension [String: String] {
    /// These header fields, where those of `fields` replace fields of the same name in upper or lower case.
    package func overlaid(by fields: [String: String]) -> [String: String] {
        guard !fields.isEmpty, !isEmpty else { return isEmpty ? fields : self }
        let names = Set(fields.keys.map { $0.lowercased() })
        return filter { !names.contains($0.key.lowercased()) }.merging(fields) { $1 }
    }

    /// Whether there is a field called `name`, which is in lower case.
    package func hasField(_ name: String) -> Bool {
        keys.contains { $0.utf8.count == name.utf8.count && $0.lowercased() == name }
    }

    /// These fields with their names in lower case; of two fields with the same name, the one that was not in lower
    /// case counts.
    package var withLowercasedNames: [String: String] {
        let others = filter { $0.key != $0.key.lowercased() }
        guard !others.isEmpty else { return self }
        return filter { others[$0.key] == nil }.merging(others.map { ($0.key.lowercased(), $0.value) }) { $1 }
    }
}
