/// A large value that is seldom there, and on the heap where it is, so that what may hold it stays small.
indirect enum Rare<Value> {
    case none
    case some(Value)

    init(_ value: Value?) { self = value.map { .some($0) } ?? .none }

    var value: Value? {
        switch self {
        case .none: nil
        case .some(let value): value
        }
    }
}

extension Rare: Sendable where Value: Sendable {}
