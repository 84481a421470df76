// swift-tools-version: 6.2
import PackageDescription

// A package of its own: nobody who uses WebImage needs libvips, and `swift test` must not link it.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "WebImage", path: "..")],
    targets: [
        .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                .product(name: "WebImage", package: "WebImage"),
                .product(name: "WebImageTesting", package: "WebImage"),
                "CVips",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
