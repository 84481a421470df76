import FoundationEssentials
import Glibc
import WebImageTesting

/// A sequence of requests for pictures, and the cost of each picture in bytes.
struct MemoryTrace: Sendable {
    let name: String
    let costs: [Int]
    let requests: [Int]
    /// Capacities to try, as shares of the total cost.
    var shares = [0.01, 0.05, 0.2]

    /// The total cost of all pictures.
    var totalCost: Int { costs.reduce(0, +) }

    static func all() throws -> [MemoryTrace] { [zipf(), zipfWithScans(), feed(), try gallery()] }

    /// 20,000 pictures, some requested far more often than others.
    private static func zipf() -> MemoryTrace {
        var random = SeededGenerator(seed: 1)
        let law = ZipfLaw(count: 20_000, exponent: 0.9)
        let requests = (0..<400_000).map { _ in law.next(&random) }
        return MemoryTrace(name: "zipf 0.9", costs: costs(20_000, &random), requests: requests)
    }

    /// The same, with occasional scans of pictures that are requested only once.
    private static func zipfWithScans() -> MemoryTrace {
        var random = SeededGenerator(seed: 2)
        let law = ZipfLaw(count: 20_000, exponent: 0.9)
        var requests: [Int] = []
        var last = 20_000
        while requests.count < 400_000 {
            for _ in 0..<1000 { requests.append(law.next(&random)) }
            for _ in 0..<200 {
                requests.append(last)
                last += 1
            }
        }
        return MemoryTrace(name: "zipf and scans", costs: costs(last, &random), requests: requests)
    }

    /// A feed scrolled down, with many returns; its posts show the faces of their authors.
    private static func feed() -> MemoryTrace {
        var random = SeededGenerator(seed: 3)
        let law = ZipfLaw(count: 500, exponent: 0.9)
        let posts = 10_000
        var requests: [Int] = []
        var position = 0
        while requests.count < 400_000 {
            let step = Int.random(in: 0..<100, using: &random) < 35 ? -1 : 1
            for _ in 0..<Int.random(in: 20...200, using: &random) {
                position = min(max(position + step, 0), posts - 1)
                requests.append(500 + position)
                requests.append(law.next(&random))
            }
            if position == posts - 1 { position = 0 }
        }
        let faces = (0..<500).map { _ in 96 * 96 * 4 }
        let pictures = (0..<posts).map { _ in 640 * Int.random(in: 360...800, using: &random) * 4 }
        return MemoryTrace(name: "feed with faces", costs: faces + pictures, requests: requests)
    }

    /// The requests of the gallery's views while 10,000 cells scrolled to the end and back, recorded once.
    private static func gallery() throws -> MemoryTrace {
        let lines = String(decoding: try Data(contentsOf: URL(filePath: "gallery-trace.txt")), as: UTF8.self)
            .split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        guard lines.count == 2, lines[1].allSatisfy({ lines[0].indices.contains($0) }) else {
            throw BenchmarkError("gallery-trace.txt is not a trace of the gallery's")
        }
        return MemoryTrace(name: "gallery", costs: lines[0], requests: lines[1], shares: [0.11, 0.3, 0.7])
    }

    /// Mostly thumbnails, some pictures of a screen's size, few larger ones.
    private static func costs(_ count: Int, _ random: inout SeededGenerator) -> [Int] {
        (0..<count).map { _ in
            let side =
                switch Int.random(in: 0..<100, using: &random) {
                case 0..<70: Int.random(in: 100...300, using: &random)
                case 70..<95: Int.random(in: 400...900, using: &random)
                default: Int.random(in: 1000...1900, using: &random)
                }
            return side * side * 4
        }
    }
}

/// Random numbers in which the first is the most frequent (Zipf's law).
struct ZipfLaw: Sendable {
    private let sums: [Double]

    init(count: Int, exponent: Double) {
        var sum = 0.0
        sums = (1...count).map { rank in
            sum += exp(-exponent * log(Double(rank)))
            return sum
        }
    }

    func next(_ random: inout some RandomNumberGenerator) -> Int {
        let wanted = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] <= wanted { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
