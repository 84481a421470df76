/// Why a server has not answered.
enum MemcachedFailure: Error, Equatable {
    /// No connection, or its end.
    case unreachable(String)
    case tooSlow
    /// It has answered that it cannot do it.
    case refused(String)
    /// Its answer is not of memcached's meta protocol, which exists since version 1.6.
    case notMemcached
    /// It failed a moment ago, and is left out for now.
    case leftOut

    var text: String {
        switch self {
        case .unreachable(let reason): "no connection: \(reason)"
        case .tooSlow: "no answer in time"
        case .refused(let answer): "it refuses: \(answer)"
        case .notMemcached: "no answer in memcached's meta protocol, which it has since version 1.6"
        case .leftOut: "left out after a failure"
        }
    }
}
