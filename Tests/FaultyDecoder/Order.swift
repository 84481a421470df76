import FoundationEssentials
import Glibc
import WebImageCoders
import WebImageCore
import WebImageIsolation

/// A test's order to a worker.
struct Order {
    /// The first word is what to do, the others are numbers.
    private let words: [String]
    private let descriptors: [OwnedDescriptor]

    init(_ packet: consuming WorkerPacket) {
        words = String(decoding: packet.bytes, as: UTF8.self).split(separator: " ").map(String.init)
        descriptors = packet.descriptors
    }

    private func number(_ index: Int) -> Int { words.indices.contains(index) ? Int(words[index]) ?? 0 : 0 }

    /// The answer; nothing where the worker ends.
    func perform() -> String {
        switch words.first {
        case "echo": return words.dropFirst().joined(separator: " ")
        case "decode": return decode()
        case "write": return fillBuffer()
        case "read": return sumOfBuffer()
        case "open": return open("/etc/passwd", O_RDONLY) >= 0 ? "opened" : "refused"
        case "thread": return HelperFault.startsThread() ? "started" : "refused"
        // 1 in a process namespace of its own.
        case "number": return "\(getpid())"
        case "tamper": return tamper()
        case "shrink": return "\(ftruncate(descriptors[0].number, 0))"
        case "allocate": return allocate(number(1))
        case let misdeed: misdeed.flatMap { Misdeed(rawValue: $0) }?.commit(Int32(number(1)))
        }
        return "unknown"
    }

    /// Many packets before the answer to `chatter`, with work between.
    func chatter(_ say: () -> Void) {
        guard words.first == "chatter" else { return }
        for _ in 0..<number(1) {
            let start = ContinuousClock.now
            while ContinuousClock.now - start < .milliseconds(30) {}
            say()
        }
    }

    /// How many attempts to change the bytes of a file succeed.
    private func tamper() -> String {
        let (file, count) = (descriptors[0].number, number(1))
        let writable = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        let page = mmap(nil, count, PROT_READ, MAP_SHARED, file, 0)
        let successes = [
            writable != MAP_FAILED, mprotect(page, count, PROT_READ | PROT_WRITE) == 0,
            madvise(page, count, MADV_REMOVE) == 0,
        ]
        return "\(successes.count { $0 })"
    }

    private func allocate(_ count: Int) -> String {
        guard let memory = malloc(count) else { return "refused" }
        memset(memory, 1, count)
        free(memory)
        return "allocated"
    }

    /// The file is the first descriptor, memory for pixels the second.
    private func decode() -> String {
        guard let file = SharedBuffer(mapping: descriptors[0], byteCount: number(1)),
            let pixels = SharedBuffer(mapping: descriptors[1], byteCount: number(2)),
            let image = try? ImageCodersManager.shared.decode(Data(file.bytes), options: ImageDecodeOptions())
        else { return "failed" }
        image.bitmap.withUnsafeBytes { pixels.bytes.copyMemory(from: $0) }
        return "\(image.pixelSize.width) \(image.pixelSize.height)"
    }

    private func fillBuffer() -> String {
        guard let buffer = SharedBuffer(mapping: descriptors[0], byteCount: number(1)) else { return "failed" }
        buffer.bytes.initializeMemory(as: UInt8.self, repeating: 7)
        return "written"
    }

    private func sumOfBuffer() -> String {
        guard let buffer = SharedBuffer(mapping: descriptors[0], byteCount: number(1)) else { return "failed" }
        return "\(buffer.bytes.reduce(0) { $0 + Int($1) })"
    }
}
