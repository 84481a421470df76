import WebImageCore

/// The servers in a circle of numbers, each at many places: a name belongs to the server at the next place. So a server that is
/// added or removed changes the owner of its own share and of no other (consistent hashing).
struct HashRing: Sendable {
    private let places: [(number: UInt64, server: Int)]
    let servers: [MemcachedServer]

    /// For each unit of weight: with so many, shares are within some percent of what they should be.
    private static let placesPerWeight = 160

    /// - Parameter servers: A server that is named twice counts once.
    init(_ servers: [MemcachedServer]) {
        var seen: Set<String> = []
        let servers = servers.filter { seen.insert($0.name).inserted }
        self.servers = servers
        places = servers.indices.flatMap { index in
            (0..<servers[index].weight * Self.placesPerWeight).map { place in
                (number: SHA256.firstHalf(of: "\(servers[index].name)-\(place)").high, server: index)
            }
        }.sorted { ($0.number, $0.server) < ($1.number, $1.server) }
    }

    /// The index of the server that a name belongs to; nil without servers.
    func owner(of name: String) -> Int? {
        guard !places.isEmpty else { return nil }
        let number = SHA256.firstHalf(of: name).high
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return places[low % places.count].server
    }
}
