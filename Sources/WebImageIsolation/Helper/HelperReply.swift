/// The answers of the helper to the app. Words of 64 bits in little-endian order, and a text at the end of some.
package enum HelperReply: Equatable, Sendable {
    /// Once, at its start.
    case ready(HelperAbilities)
    /// A worker was forked, with this number in the app's process namespace; its descriptor comes with the packet.
    case forked(worker: Int32)
    /// There is no worker, because of this error of the system.
    case notForked(code: Int32)
    /// A worker's status, as of `wait4`.
    case ended(status: Int32, finding: WorkerFinding?)

    package var bytes: [UInt8] {
        switch self {
        case .ready(let abilities):
            HelperWords.bytes([0, abilities.kindBits, UInt64(abilities.level.rawValue)]) + Array(abilities.text.utf8)
        case .forked(let worker): HelperWords.bytes([1, UInt64(UInt32(bitPattern: worker))])
        case .notForked(let code): HelperWords.bytes([2, UInt64(UInt32(bitPattern: code))])
        case .ended(let status, let finding):
            HelperWords.bytes([3, UInt64(UInt32(bitPattern: status)), UInt64(finding?.rawValue ?? 0)])
        }
    }

    /// Nil for what no helper of this version sends.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 16, let head = HelperWords.words(Array(bytes.prefix(16))) else { return nil }
        if head[0] == 0 {
            guard let abilities = HelperAbilities(bytes.dropFirst(8)) else { return nil }
            self = .ready(abilities)
            return
        }
        guard let words = HelperWords.words(bytes), let word = UInt32(exactly: words[1]) else { return nil }
        let number = Int32(bitPattern: word)
        switch (words[0], words.count) {
        case (1, 2): self = .forked(worker: number)
        case (2, 2): self = .notForked(code: number)
        case (3, 3):
            guard let code = UInt8(exactly: words[2]) else { return nil }
            let finding = WorkerFinding(rawValue: code)
            guard finding != nil || code == 0 else { return nil }
            self = .ended(status: number, finding: finding)
        default: return nil
        }
    }
}

/// The kinds that a helper decodes, and the measures that lock its workers in.
package struct HelperAbilities: Equatable, Sendable {
    package var kinds: Set<DecoderKind>
    package var level: DecoderIsolation.Level
    /// The level in one line.
    package var text: String

    package init(kinds: Set<DecoderKind>, level: DecoderIsolation.Level, text: String) {
        self.kinds = kinds
        self.level = level
        self.text = text
    }

    fileprivate var kindBits: UInt64 { kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 16, let words = HelperWords.words(Array(bytes.prefix(16))),
            let level = UInt32(exactly: words[1])
        else { return nil }
        kinds = Set(DecoderKind.allCases.filter { words[0] & 1 << UInt64($0.rawValue) != 0 })
        self.level = DecoderIsolation.Level(rawValue: level)
        text = String(decoding: bytes.dropFirst(16), as: UTF8.self)
    }
}
