import FoundationEssentials

/// The memory of this process.
enum ProcessMemory {
    private struct Unknown: Error {}

    /// The largest resident set so far, as the kernel tells it.
    static func peakMegabytes() throws -> Double {
        let status = String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/status")), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else {
            throw Unknown()
        }
        return kilobytes / 1024
    }
}
