import CAllocation
import WebImage
import WebImageDecoder
import WebImageFontAccess
import WebImageSVG

// A helper whose workers do what a test asks for, also what no decoder does: each packet is the name of a `Deed`.

ImageCodersManager.shared.add(.svg)

webimage_end_without_memory(WorkerStatus.memoryRefused)
Zygote.run(kinds: Set(DecoderKind.allCases), preload: Preload.run, fonts: .ofProgram) { channel, _ in
    while let packet = channel.receive() {
        let order = Order(packet)
        guard channel.send(WorkerPacket(bytes: Array(order.perform().utf8))) else { return }
    }
}
