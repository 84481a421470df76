import WebImageCore

/// The requests of the app to the helper that its workers are forked from. Words of 64 bits in little-endian order.
package enum HelperRequest: Equatable, Sendable {
    /// Once, before anything else: what to load. Not an argument: a Swift program finds those in /proc, which a chroot may lack.
    case begin(HelperRole)
    /// A worker, whose end of its connection comes with the packet.
    case fork(DecoderKind, WorkerAllowance)
    /// How a worker has ended, which the app knows it has.
    case collect(worker: Int32)

    /// Other versions have other messages.
    private static let version = XXH3.checksum(of: Array(WebImageVersion.current.utf8).span.bytes)

    package var bytes: [UInt8] {
        switch self {
        case .begin(let role): HelperWords.bytes([2, UInt64(role.rawValue), Self.version])
        case .fork(let kind, let allowance):
            HelperWords.bytes([0, UInt64(kind.rawValue), UInt64(allowance.memory), UInt64(allowance.processorSeconds)])
        case .collect(let worker): HelperWords.bytes([1, UInt64(UInt32(bitPattern: worker))])
        }
    }

    /// Nil for what no app of this version sends.
    package init?(_ bytes: [UInt8]) {
        guard let words = HelperWords.words(bytes) else { return nil }
        switch (words.first, words.count) {
        case (0, 4):
            guard let raw = UInt8(exactly: words[1]), let kind = DecoderKind(rawValue: raw),
                let memory = Int(exactly: words[2]), let seconds = Int(exactly: words[3])
            else { return nil }
            self = .fork(kind, WorkerAllowance(memory: memory, processorSeconds: seconds))
        case (1, 2):
            guard let worker = UInt32(exactly: words[1]) else { return nil }
            self = .collect(worker: Int32(bitPattern: worker))
        case (2, 3):
            guard let role = UInt8(exactly: words[1]).flatMap(HelperRole.init), words[2] == Self.version else {
                return nil
            }
            self = .begin(role)
        default: return nil
        }
    }
}

/// The resources that the kernel lets a worker use in its whole life.
package struct WorkerAllowance: Hashable, Sendable {
    /// Bytes of address space beyond those of the helper.
    package var memory: Int
    package var processorSeconds: Int

    package init(memory: Int, processorSeconds: Int) {
        self.memory = memory
        self.processorSeconds = processorSeconds
    }
}

/// Numbers as the app and the helper, which are of one version, exchange them.
enum HelperWords {
    static func bytes(_ words: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        for word in words { bytes.append(integer: word) }
        return bytes
    }

    static func words(_ bytes: [UInt8]) -> [UInt64]? {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 8) else { return nil }
        let span = bytes.span.bytes
        return stride(from: 0, to: bytes.count, by: 8).map { span.integer(at: $0, as: UInt64.self) }
    }
}
