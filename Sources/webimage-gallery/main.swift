import Glibc

let outcome = GalleryOptions.parse(CommandLine.arguments)
exit(outcome.run().rawValue)
