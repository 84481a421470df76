// swift-tools-version: 6.2
import PackageDescription

// A package of its own: nobody who uses WebImage needs libvips, and `swift test` must not link it.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "WebImage", path: "..")],
    targets: [
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .systemLibrary(name: "CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
        // Counts what is asked for, in place of glibc's own names.
        .target(name: "CAllocations"),
        // Codec libraries with nothing around them.
        .target(
            name: "CBareCodecs",
            linkerSettings: [
                .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("webp"), .linkedLibrary("gif"),
                .linkedLibrary("avif"), .linkedLibrary("heif"), .linkedLibrary("jxl"), .linkedLibrary("lcms2"),
            ]),
        // A process whose memory is that of the library, without all the rivals'.
        .executableTarget(
            name: "ThumbnailProgram", dependencies: [.product(name: "WebImage", package: "WebImage")]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "WebImage", package: "WebImage"),
                .product(name: "WebImageAVIF", package: "WebImage"),
                .product(name: "WebImageHEIF", package: "WebImage"),
                .product(name: "WebImageJXL", package: "WebImage"),
                .product(name: "WebImageTesting", package: "WebImage"),
                "CAllocations", "CBareCodecs", "CGdkPixbuf", "CVips",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
