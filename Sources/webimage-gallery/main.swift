import Glibc

GalleryCoders.register()
exit(GalleryOptions.parse(CommandLine.arguments).run().rawValue)
