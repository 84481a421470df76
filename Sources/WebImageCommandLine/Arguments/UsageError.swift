/// An invalid command line: what is wrong and how to write it instead, one sentence without a full stop.
package struct UsageError: Error, Equatable {
    package let message: String

    package init(_ message: String) { self.message = message }
}
