import CGtk4
import Glibc
import WebImage
import WebImageCommandLine

// A window that is open all day holds as much as it shows.
Heap.giveLargeBlocksBack()

// Codecs write about damaged files to C's stream, hundreds of lines for some folders.
webimage_write_logs_unbuffered()
StandardDescriptors.silenceLibraries()

do throws(UsageError) {
    exit(GalleryOptions.parse(try ProgramArguments.read()).run().rawValue)
} catch {
    exit(GalleryOptions.Outcome.refuse(error.message).run().rawValue)
}
