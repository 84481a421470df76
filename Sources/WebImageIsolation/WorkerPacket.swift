import WebImageCore

/// One message between the app and a process that decodes for it, with the descriptors that come with it.
package struct WorkerPacket: ~Copyable {
    /// At most ``maximumByteCount``.
    package var bytes: [UInt8]
    package var descriptors: [OwnedDescriptor]

    /// The size that fits a packet socket's buffer on any kernel.
    package static let maximumByteCount = 64 << 10

    package init(bytes: [UInt8], descriptors: [OwnedDescriptor] = []) {
        self.bytes = bytes
        self.descriptors = descriptors
    }
}
