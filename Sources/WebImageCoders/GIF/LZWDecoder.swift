/// GIF's variant of LZW (GIF89a appendix F): codes of growing width, a clear code, and an end code.
///
/// Every string of the dictionary is already in the output: an older string and the byte after it. So an entry holds a
/// position and a length, and a string is copied forwards instead of being collected backwards along a chain of
/// prefixes. Its first eight bytes, nearly always all of it, are in the entry itself.
///
/// Codes may arrive in pieces of any length.
struct LZWDecoder {
    /// Additional bytes that the output must have after the last pixel: strings are written eight bytes at a time.
    static let outputSlack = 8

    private static let maximumCodeSize = 12
    private static let capacity = 1 << maximumCodeSize

    /// The strings by code: the literals, two unused entries for the clear and the end code, and the strings since.
    private var entries: [Entry]
    private var progress = Progress(minimumCodeSize: 8)

    init() { entries = [Entry](repeating: Entry(), count: Self.capacity) }

    /// The number of pixels decoded so far.
    var writtenCount: Int { progress.written }
    /// Whether no more codes are needed: after the end code, or an invalid code.
    var isEnded: Bool { progress.isEnded }

    /// Begins a frame.
    ///
    /// - Parameter minimumCodeSize: The bits of a literal, 1 to 11. Pixels have at most 8, but some encoders choose
    ///   wider codes.
    mutating func restart(minimumCodeSize: Int) {
        progress = Progress(minimumCodeSize: minimumCodeSize)
        for code in 0..<1 << minimumCodeSize { entries[code] = Entry(head: UInt64(code & 0xFF), length: 1) }
    }

    /// Decodes up to the last pixel, the end code, the end of the input, or an invalid code.
    ///
    /// - Parameters:
    ///   - limit: The number of pixels needed; nil for the capacity of `output`.
    ///   - output: Room for the pixels, one byte each, and ``outputSlack``; the same for all pieces.
    /// - Returns: The number of pixels so far.
    mutating func decode(_ input: Span<UInt8>, limit: Int? = nil, into output: inout MutableRawSpan) -> Int {
        let room = output.byteCount - Self.outputSlack
        let pixelCount = min(limit ?? room, room)
        var state = progress
        var entries = entries.mutableSpan
        var position = 0
        while state.written < pixelCount, !state.isEnded, let code = state.nextCode(input, &position) {
            if code == state.clearCode {
                state.clear()
            } else if let entry = state.take(code, &entries) {
                entry.copy(to: state.written, of: &output, limit: pixelCount)
                state.previous = entry
                state.previous.place = UInt32(truncatingIfNeeded: state.written)
                state.written = min(state.written &+ Int(entry.length), pixelCount)
            } else {
                state.isEnded = true
            }
        }
        progress = state
        return state.written
    }
}

/// The state between two pieces of codes.
private struct Progress {
    let clearCode: Int
    private let firstCodeSize: Int
    private var codeSize: Int
    /// The next code to be defined.
    private var nextEntry: Int
    /// The bits of an incomplete code, the lowest first.
    private var bits: UInt64 = 0
    private var bitCount = 0
    /// The string of the last code; empty after a clear code.
    var previous = Entry()
    var written = 0
    var isEnded = false

    private static let capacity = 1 << 12

    init(minimumCodeSize: Int) {
        clearCode = 1 << minimumCodeSize
        firstCodeSize = minimumCodeSize + 1
        codeSize = firstCodeSize
        nextEntry = clearCode + 2
    }

    @inline(__always)
    mutating func clear() {
        codeSize = firstCodeSize
        nextEntry = clearCode + 2
        previous = Entry()
    }

    /// The next code; nil when the input has no complete one left.
    @inline(__always)
    mutating func nextCode(_ input: Span<UInt8>, _ position: inout Int) -> Int? {
        if bitCount < codeSize {
            if position &+ 8 <= input.count {
                let word = input.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)
                bits |= UInt64(littleEndian: word) &<< UInt64(bitCount)
                position &+= (63 &- bitCount) &>> 3
                bitCount |= 56
            } else {
                while bitCount < codeSize {
                    guard position < input.count else { return nil }
                    bits |= UInt64(input[position]) &<< UInt64(bitCount)
                    position += 1
                    bitCount += 8
                }
            }
        }
        let code = Int(bits & ((1 &<< UInt64(codeSize)) &- 1))
        bits &>>= UInt64(codeSize)
        bitCount &-= codeSize
        return code
    }

    /// The string of `code`; defines a new entry: the previous string and the first byte of this one. The code that is
    /// about to be defined stands for the entry's own string. nil at the end code and for an invalid code.
    @inline(__always)
    mutating func take(_ code: Int, _ entries: inout MutableSpan<Entry>) -> Entry? {
        var entry: Entry
        if code < nextEntry {
            guard code != clearCode &+ 1 else { return nil }
            entry = entries[code]
        } else {
            guard code == nextEntry, !previous.isEmpty else { return nil }
            entry = previous.extended(by: previous.firstByte)
        }
        // A full dictionary is no error: the encoder defers its clear code.
        if !previous.isEmpty, nextEntry < Self.capacity {
            entries[nextEntry] = previous.extended(by: entry.firstByte)
            nextEntry &+= 1
            if nextEntry == 1 &<< codeSize, codeSize < 12 { codeSize &+= 1 }
        }
        return entry
    }
}

/// A string of the dictionary.
private struct Entry {
    /// The first eight bytes, the first one lowest; bytes beyond the string's end are 0.
    var head: UInt64 = 0
    /// The string's position in the output. 32 bits suffice: a GIF frame has fewer than 2³² pixels.
    var place: UInt32 = 0
    var length: UInt32 = 0

    static let headLength = 8

    var isEmpty: Bool { length == 0 }
    var firstByte: UInt8 { UInt8(truncatingIfNeeded: head) }

    /// The string extended by `byte`, which follows it in the output.
    @inline(__always)
    func extended(by byte: UInt8) -> Entry {
        let added = length < Self.headLength ? UInt64(byte) &<< UInt64(length &* 8) : 0
        return Entry(head: head | added, place: place, length: length &+ 1)
    }

    /// Writes the string, and up to seven excess bytes after it.
    ///
    /// A string of more than eight bytes begins at least eight bytes before its copy, even the one that is being
    /// defined, so every word is written before it is read.
    @inline(__always)
    func copy(to start: Int, of output: inout MutableRawSpan, limit: Int) {
        output.storeBytes(of: UInt64(littleEndian: head), toByteOffset: start, as: UInt64.self)
        guard length > Self.headLength else { return }
        let count = min(Int(length), limit - start)
        for offset in stride(from: Self.headLength, to: count, by: Self.headLength) {
            let word = output.bytes.unsafeLoadUnaligned(fromByteOffset: Int(place) + offset, as: UInt64.self)
            output.storeBytes(of: word, toByteOffset: start + offset, as: UInt64.self)
        }
    }
}
