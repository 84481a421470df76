import FoundationEssentials

/// A value that goes from one process to the other. What was written is read as the same value; all other bytes are refused.
package protocol MessageValue {
    func write(to message: inout MessageWriter)
    init(from message: inout MessageReader) throws(MessageError)
}

extension MessageValue {
    /// The bytes of a message of this value alone.
    package var messageBytes: [UInt8] {
        var message = MessageWriter()
        message.write(self)
        return message.bytes
    }

    package init(messageBytes: [UInt8]) throws(MessageError) {
        var message = MessageReader(messageBytes)
        self = try message.read()
        try message.requireEnd()
    }
}

/// A value that is one of a few, each with a number of its own.
package protocol MessageChoice: MessageValue {
    static var messageChoices: [Self] { get }
    var messageCode: UInt8 { get }
}

extension MessageChoice {
    package func write(to message: inout MessageWriter) { message.write(messageCode) }

    package init(from message: inout MessageReader) throws(MessageError) {
        let code = try message.readByte()
        guard let choice = Self.messageChoices.first(where: { $0.messageCode == code }) else { throw .unknownValue }
        self = choice
    }
}

extension Int: MessageValue {
    package func write(to message: inout MessageWriter) { message.writeInteger(Int64(self)) }
    package init(from message: inout MessageReader) throws(MessageError) {
        let value: Int64 = try message.readInteger()
        self = Int(value)
    }
}

extension Bool: MessageValue {
    package func write(to message: inout MessageWriter) { message.write(UInt8(self ? 1 : 0)) }
    package init(from message: inout MessageReader) throws(MessageError) {
        let byte = try message.readByte()
        guard byte <= 1 else { throw .unknownValue }
        self = byte == 1
    }
}

extension Double: MessageValue {
    package func write(to message: inout MessageWriter) { message.writeInteger(bitPattern) }
    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(bitPattern: try message.readInteger())
    }
}

extension Duration: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.writeInteger(components.seconds)
        message.writeInteger(components.attoseconds)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let (seconds, attoseconds): (Int64, Int64) = (try message.readInteger(), try message.readInteger())
        guard attoseconds.magnitude < 1_000_000_000_000_000_000 else { throw .unknownValue }
        self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
}

extension String: MessageValue {
    package func write(to message: inout MessageWriter) {
        var text = self
        while text.utf8.count > MessageWriter.maximumTextByteCount {
            text = String(decoding: text.utf8.prefix(MessageWriter.maximumTextByteCount), as: UTF8.self)
            text.removeLast()
        }
        message.writeBytes(text.utf8)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let bytes = try message.readBytes(maximumCount: MessageWriter.maximumTextByteCount)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .unknownValue }
        self = text
    }
}

extension Data: MessageValue {
    package func write(to message: inout MessageWriter) { message.writeBytes(self) }
    package init(from message: inout MessageReader) throws(MessageError) { self.init(try message.readBytes()) }
}

extension Optional: MessageValue where Wrapped: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self != nil)
        if let self { message.write(self) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let isThere: Bool = try message.read()
        self = isThere ? try message.read(Wrapped.self) : nil
    }
}

extension Array: MessageValue where Element: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.writeInteger(Int64(count))
        for element in self { message.write(element) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init()
        for _ in 0..<(try message.readCount()) { append(try message.read()) }
    }
}

extension Range<Int>: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(lowerBound)
        message.write(upperBound)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        let (lower, upper): (Int, Int) = (try message.read(), try message.read())
        guard lower <= upper else { throw .unknownValue }
        self = lower..<upper
    }
}
