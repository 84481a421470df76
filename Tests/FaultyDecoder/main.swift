import CAllocation
import WebImageCoders
import WebImageDecoder
import WebImageFontAccess
import WebImageIsolation
import WebImageSVG

// A helper whose workers do what a test asks for, also what no decoder does: each packet is an `Order`. One that begins with
// a picture decodes it, up to the fault that is planted there.

ImageCodersManager.shared.add(.svg)

webimage_end_without_memory(WorkerStatus.memoryRefused)
webimage_end_without_threads(WorkerStatus.threadRefused)
Zygote.run(
    kinds: { _ in Set(DecoderKind.allCases) }, preload: HelperFault.preload, fonts: .ofProgram,
    patience: HelperFault.patience
) { channel, kind in
    if !kind.startsThreads { webimage_end_without_threads(0) }
    while let packet = channel.receive() {
        if let channel = FaultyChannel(channel, first: packet) {
            let service = WorkerService(channel: channel)
            service.forwardWarnings()
            service.usePixelMemoryOfApp()
            return service.run()
        }
        let order = Order(packet)
        order.chatter { _ = channel.send(WorkerPacket(bytes: [1])) }
        guard channel.send(WorkerPacket(bytes: Array(order.perform().utf8))) else { return }
    }
}
