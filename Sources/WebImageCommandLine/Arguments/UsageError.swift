/// A command line that cannot be carried out as it is written: what is wrong with it and how to write it instead, one
/// sentence without a full stop.
package struct UsageError: Error, Equatable {
    package let message: String

    package init(_ message: String) { self.message = message }
}
