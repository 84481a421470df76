// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of WebImage do not need libvips, and `swift test` does not link it.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "WebImage", path: "..")],
    targets: [
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        // Counts allocations by replacing glibc's functions.
        .target(name: "CAllocations"),
        // The bare codec libraries.
        .target(
            name: "CBareCodecs",
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp"), .linkedLibrary("gif"),
                .linkedLibrary("avif"), .linkedLibrary("heif"), .linkedLibrary("jxl"), .linkedLibrary("lcms2"),
            ]),
        // The headers are in a directory of their own; of its many libraries two are enough.
        .target(
            name: "COpenCV", cxxSettings: [.unsafeFlags(["-I/usr/include/opencv4"])],
            linkerSettings: [.linkedLibrary("opencv_core"), .linkedLibrary("opencv_imgproc")]),
        // The processors that threads run on.
        .target(name: "CProcessors"),
        // A process that measures the library's memory, without the rivals' libraries.
        .executableTarget(
            name: "ThumbnailProgram", dependencies: [.product(name: "WebImage", package: "WebImage")]),
        // The program that bubblewrap starts for each picture.
        .executableTarget(
            name: "PixelsProgram",
            dependencies: [
                .product(name: "WebImage", package: "WebImage"), .product(name: "WebImageAVIF", package: "WebImage"),
            ]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "WebImage", package: "WebImage"),
                .product(name: "WebImageAVIF", package: "WebImage"),
                .product(name: "WebImageHEIF", package: "WebImage"),
                .product(name: "WebImageJXL", package: "WebImage"),
                .product(name: "WebImageMemcached", package: "WebImage"),
                .product(name: "WebImageSVG", package: "WebImage"),
                .product(name: "WebImageTesting", package: "WebImage"),
                "CAllocations", "CBareCodecs", "CGdkPixbuf", "COpenCV", "CProcessors", "CVips",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
