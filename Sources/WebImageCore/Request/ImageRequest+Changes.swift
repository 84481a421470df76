extension ImageRequest {
    /// The names of all changes from this request to `changed`: options with + and - before them, and the properties of
    /// the context whose values differ.
    package func changes(to changed: ImageRequest) -> [String] {
        let address = url == changed.url ? [] : ["url"]
        let added = changed.options.subtracting(options).names.map { "+\($0)" }
        let removed = options.subtracting(changed.options).names.map { "-\($0)" }
        return address + added + removed + context.changes(to: changed.context)
    }
}

extension WebImageContext {
    /// By reflection, so that no property can be forgotten here.
    fileprivate func changes(to changed: WebImageContext) -> [String] {
        zip(properties, changed.properties).compactMap { mine, other in
            guard let label = mine.label, Likeness(mine.value) != Likeness(other.value) else { return nil }
            return switch label {
            case "own", "values": "values of the app's own"
            case "interruption": "cancellation"
            // Reflection names a wrapped property after its storage.
            default: String(label.drop { $0 == "_" })
            }
        }
    }

    /// The decode options one by one, as they can be set.
    private var properties: [Mirror.Child] {
        let values = Mirror(reflecting: read { copy $0 } ?? Values()).children.flatMap { child in
            child.label == "decodeOptions" ? Array(Mirror(reflecting: child.value).children) : [child]
        }
        return [("callbackQueue", callbackQueue as Any)] + values
    }
}

/// Compares two values of unknown type: objects by identity, all others by their parts.
private struct Likeness: Hashable {
    private let type: ObjectIdentifier
    private let object: ObjectIdentifier?
    private let text: String
    private let parts: [Likeness]
    /// The parts of a dictionary or a set.
    private let elements: Set<Likeness>

    init(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        type = ObjectIdentifier(mirror.subjectType)
        let isObject = mirror.displayStyle == .class
        let hasOrder = mirror.displayStyle != .dictionary && mirror.displayStyle != .set
        let children = isObject ? [] : mirror.children.map { Likeness($0.value) }
        object = isObject ? ObjectIdentifier(value as AnyObject) : nil
        parts = hasOrder ? children : []
        elements = hasOrder ? [] : Set(children)
        text = !isObject && children.isEmpty ? String(reflecting: value) : ""
    }
}
