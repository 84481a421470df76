import Glibc
import WebImageCommandLine

GalleryCoders.register()
do throws(UsageError) {
    exit(GalleryOptions.parse(try ProgramArguments.read()).run().rawValue)
} catch {
    exit(GalleryOptions.Outcome.refuse(error.message).run().rawValue)
}
