import WebImageCoders
import WebImageCore

/// In place of the library's own coders, those that ask processes of their own.
struct IsolatedDecoders: DecoderChoice {
    let isolation: DecoderIsolation
    private let source: any WorkerSource
    /// They end with these settings.
    private let kept: KeptWorkers?

    init(_ isolation: DecoderIsolation, source: any WorkerSource) {
        self.isolation = isolation
        self.source = source
        kept = KeptWorkers(isolation.workers)
    }

    /// A coder of the app's own stays what it is. Kinds without a coder come first, so that any coder has precedence.
    func decoders(for coders: [any ImageCoder]) -> [any ImageCoder] {
        var missing = isolation.kinds
        let replaced = coders.map { coder in
            let decoder = self.decoder(inPlaceOf: coder)
            if let isolated = decoder as? IsolatedCoder { missing.remove(isolated.kind) }
            return decoder
        }
        let added = missing.sorted { $0.rawValue < $1.rawValue }.map {
            IsolatedCoder(kind: $0, source: source, kept: kept)
        }
        return added + replaced
    }

    func decoder(inPlaceOf coder: any ImageCoder) -> any ImageCoder {
        guard let kind = kind(of: coder), isolation.kinds.contains(kind) else { return coder }
        return IsolatedCoder(kind: kind, source: source, kept: kept)
    }

    private func kind(of coder: any ImageCoder) -> DecoderKind? {
        guard let bundled = coder as? any BundledCoder else { return nil }
        return DecoderKind.allCases.first { $0.formats.contains { bundled.canDecode($0) } }
    }
}

extension DecoderIsolation {
    var kinds: Set<DecoderKind> {
        switch formats {
        case .nothing: []
        case .beyondBuiltIn: Set(DecoderKind.allCases.filter { !$0.isBuiltIn })
        case .everything: Set(DecoderKind.allCases)
        }
    }
}
