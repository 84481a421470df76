import FoundationEssentials
import WebImageCore
import WebImageHTTP

extension LoadExplanation: CustomStringConvertible {
    /// The plan in words: the address, and below it some lines for each part of the load. Contains no passwords and no
    /// values of header fields.
    public var description: String {
        let width = sections.map(\.title.count).max() ?? 0
        return sections.reduce(into: address) { text, section in
            for (index, line) in section.lines.enumerated() {
                let title = index == 0 ? section.title : ""
                text += "\n  \(title)\(String(repeating: " ", count: width - title.count))  \(line)"
            }
        }
    }

    /// Lines with a common title.
    package struct Section: Sendable, Hashable {
        /// One word.
        package let title: String
        /// The text.
        package let lines: [String]
    }

    /// The address without secrets.
    package var address: String { request.url?.abbreviated ?? "no address" }

    /// All sections below the address, except empty ones.
    package var sections: [Section] {
        let all = [
            Section(title: "fails", lines: [refusal?.reason].compactMap(\.self)),
            Section(title: "intercepts", lines: interceptions.map(\.words)),
            Section(title: "names", lines: keys.map(words) ?? []),
            Section(title: "options", lines: [request.options.names.joined(separator: ", ")].filter { !$0.isEmpty }),
            Section(title: "reads", lines: reads.enumerated().map { "\($0 + 1) \($1.words(isSole: hasOneCache))" }),
            Section(title: "loads", lines: loadingWords),
            Section(title: "before", lines: previewWords),
            Section(title: "otherwise", lines: alternativeWords),
            Section(title: "decodes", lines: decoding.map { [$0.words] } ?? []),
            Section(title: "transforms", lines: [transformerKey].compactMap(\.self)),
            Section(title: "writes", lines: writes.map { $0.words(isSole: hasOneCache) }),
            Section(title: "notes", lines: notes),
        ]
        return all.filter { !$0.lines.isEmpty }
    }

    /// Whether all accesses are to one cache, so that its name is not needed.
    private var hasOneCache: Bool { Set((reads + writes).map(\.cache)).count < 2 }

    private var alternativeWords: [String] {
        request.context.alternativeURLs.map { "\($0.abbreviated), sooner if it is in a cache and those above are not" }
    }

    private var previewWords: [String] {
        switch request.context.preview?.source {
        case .url(let url): ["\(url.abbreviated), unless memory has the picture above"]
        case .pixelSize(let size): ["within \(size.width) × \(size.height) pixels, unless memory has the picture above"]
        case nil: []
        }
    }

    private var loadingWords: [String] {
        if let loading { return loading.words }
        return refusal == nil && !isAnswered ? ["not at all"] : []
    }
}

// MARK: - Names

extension LoadExplanation {
    private func words(_ keys: Keys) -> [String] {
        var lines = ["original  \(shown(keys.original))"]
        if keys.result != keys.original { lines.append("result    \(shown(keys.result))") }
        if keys.memory != keys.result { lines.append("memory    \(shown(keys.memory))") }
        return lines
    }

    /// A key for people. The part that distinguishes unusual pixels is in brackets.
    package func shown(_ key: CacheKey) -> String {
        var parts = key.string.split(separator: "\0", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " })
        }
        let name = parts.removeFirst().addressWithoutPassword
        let pixels = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
        return name.abbreviated(to: 200) + pixels
    }
}

// MARK: - Sections

extension LoadExplanation.Interception {
    fileprivate var words: String {
        switch effect {
        case .unchanged: "\(interceptor) changes nothing"
        case .changes(let changes): "\(interceptor) changes \(changes.joined(separator: ", "))"
        case .takesOver: "\(interceptor) takes the load over; this is the plan if it proceeds without changes"
        case .answers(let isPicture): "\(interceptor) ends the load \(isPicture ? "with a picture" : "with a failure")"
        }
    }
}

extension LoadExplanation.Access {
    fileprivate func words(isSole: Bool) -> String {
        let words =
            "\(tier == .memory ? "memory" : "disk  ")  \(picture)" + (isSole ? "" : " in \(cache)")
            + (limit.map { ", unless it has more than \($0.byteText)" } ?? "")
        return isFound.map { "\(words), \($0 ? "there now" : "not there now")" } ?? words
    }
}

extension Int {
    /// As a number of bytes: `64 MiB`, or `1000 bytes`.
    fileprivate var byteText: String { self > 0 && self % (1 << 20) == 0 ? "\(self >> 20) MiB" : "\(self) bytes" }
}

extension LoadExplanation.Loading {
    fileprivate var words: [String] {
        if let refusal { return ["refused: \(refusal.reason)"] }
        var words = ["by \(loader ?? "no loader"), \(request.priority) priority"]
        if let timeout = request.timeout { words.append("times out after \(timeout.seconds) s without a byte") }
        if !request.headers.isEmpty {
            words.append("header fields \(request.headers.keys.sorted().joined(separator: ", "))")
        }
        if request.credential != nil { words.append("a credential if asked for") }
        if request.usesCookies { words.append("cookies") }
        if deniesPrivateAddresses { words.append("from addresses of the internet only\(privateHost)") }
        if request.decryptor != nil { words.append("decrypted") }
        if isProgressive { words.append("with partial pictures") }
        if stopsEarly { words.append("only the bytes for a preview") }
        let how = words.joined(separator: ", ")
        return refreshes
            ? [how, "a picture from a cache is delivered first, and again if the server has a newer one"] : [how]
    }

    /// The answer that is known without a look-up of the host's addresses.
    private var privateHost: String {
        guard let host = request.url.host(), NetworkAddress(host)?.isPublic == false else { return "" }
        return ", and \(host) is none"
    }
}

extension LoadExplanation.Decoding {
    fileprivate var words: String {
        var words = ["by \(coder)", size]
        if case .format(let format) = options.formatHint { words.append("probably \(format)") }
        if options.decodesFirstFrameOnly { words.append("the first frame only") }
        if let animatedClass { words.append("animations as \(animatedClass)") }
        if options.decodesPreview { words.append("as a preview of the first scans") }
        if options.pageIndex != 0 { words.append("page \(options.pageIndex + 1)") }
        if options.decodesToHDR { words.append("with high dynamic range") }
        if options.decodesToWideGamut { words.append("with wide gamut") }
        if !options.convertsToSRGB { words.append("colours as stored") }
        if !options.appliesOrientation { words.append("not turned") }
        if let scale = options.scaleFactor, scale != 1 { words.append("\(scale) pixels per point") }
        return words.joined(separator: ", ")
    }

    private var size: String {
        guard let byteCount = options.scaleDownLimitBytes else { return box ?? "at full size" }
        let limit = "within \(byteCount) bytes of pixels"
        return box.map { "\(limit), or \($0) where it is that" } ?? limit
    }

    private var box: String? {
        guard let size = options.thumbnailPixelSize, !size.isEmpty else { return nil }
        guard options.preservesAspectRatio else { return "to fill \(size)" }
        return options.coversThumbnailBox ? "to cover \(size)" : "to fit \(size)"
    }
}
