import Glibc
import WebImage
import WebImageCommandLine

// A window that is open all day holds as much as it shows.
Heap.giveLargeBlocksBack()

do throws(UsageError) {
    exit(GalleryOptions.parse(try ProgramArguments.read()).run().rawValue)
} catch {
    exit(GalleryOptions.Outcome.refuse(error.message).run().rawValue)
}
