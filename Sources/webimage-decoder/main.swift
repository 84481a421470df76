import CAllocation
import WebImageDecoder
import WebImageFontAccess
import WebImageIsolation

// Decodes pictures in locked processes of their own, for a program that starts it.

webimage_end_without_memory(WorkerStatus.memoryRefused)
webimage_end_without_threads(WorkerStatus.threadRefused)
Zygote.run(kinds: DecoderKind.isolated, preload: Preload.run, fonts: .ofProgram) { channel, kind in
    if !kind.startsThreads { webimage_end_without_threads(0) }
    Preload.rehearse(kind)
    let service = WorkerService(channel: channel)
    service.forwardWarnings()
    service.usePixelMemoryOfApp()
    service.run()
}
