/// A literal S3-FIFO, the reference for the memory cache: lists, without a table and a lock.
struct EvictionModel {
    struct Item {
        let name: Int
        var cost: Int
        var uses = 0
    }

    let costLimit: Int?
    let countLimit: Int?
    private(set) var new: [Item] = []
    private(set) var proven: [Item] = []
    /// Evicted names in order; nil for one that was requested again.
    private var ghosts: [Int?] = []

    init(costLimit: Int?, countLimit: Int?) {
        self.costLimit = costLimit
        self.countLimit = countLimit
    }

    var names: Set<Int> { Set((new + proven).map(\.name)) }
    var cost: Int { (new + proven).reduce(0) { $0 + $1.cost } }

    mutating func find(_ name: Int) -> Bool {
        if let index = new.firstIndex(where: { $0.name == name }) {
            new[index].uses = min(3, new[index].uses + 1)
        } else if let index = proven.firstIndex(where: { $0.name == name }) {
            proven[index].uses = min(3, proven[index].uses + 1)
        } else {
            return false
        }
        return true
    }

    mutating func store(_ name: Int, cost: Int) {
        let wasGhost = ghosts.contains(name)
        if let index = ghosts.lastIndex(of: name) { ghosts[index] = nil }
        let old = (new + proven).first { $0.name == name }
        let isProven = old.map { _ in proven.contains { $0.name == name } } ?? wasGhost
        removeItem(name)
        if let costLimit, cost > costLimit / 10 { return }
        evict(costLimit.map { $0 - cost } ?? .max, countLimit.map { $0 - 1 } ?? .max)
        let item = Item(name: name, cost: cost, uses: old?.uses ?? 0)
        if isProven { proven.append(item) } else { new.append(item) }
    }

    mutating func remove(_ name: Int) {
        if let index = ghosts.lastIndex(of: name) { ghosts[index] = nil }
        removeItem(name)
    }

    mutating func evict(_ mostCost: Int, _ mostCount: Int) {
        while cost > mostCost || names.count > mostCount {
            let newCost = new.reduce(0) { $0 + $1.cost }
            let isOverShare = cost > mostCost ? newCost * 10 > cost * 3 : new.count * 10 > names.count * 3
            if !new.isEmpty, isOverShare || proven.isEmpty {
                var item = new.removeFirst()
                if item.uses > 1 {
                    item.uses = 0
                    proven.append(item)
                } else {
                    ghosts.append(item.name)
                    while ghosts.count > names.count { ghosts.removeFirst() }
                }
            } else {
                var item = proven.removeFirst()
                guard item.uses > 0 else { continue }
                item.uses -= 1
                proven.append(item)
            }
        }
    }

    private mutating func removeItem(_ name: Int) {
        new.removeAll { $0.name == name }
        proven.removeAll { $0.name == name }
    }
}
