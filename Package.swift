// swift-tools-version: 6.2
import PackageDescription

/// Servers without GTK build everything else: `WEBIMAGE_WITHOUT_GTK=1 swift build`.
/// (A package that depends on the product `WebImage` alone never needs it: SwiftPM builds only what is used.)
let withGTK = Context.environment["WEBIMAGE_WITHOUT_GTK"] == nil

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "WebImage",
    products: [
        .library(name: "WebImage", targets: ["WebImage"]),
        .library(name: "WebImageTesting", targets: ["WebImageTesting"]),
        .executable(name: "webimage", targets: ["webimage"]),
    ],
    targets: [
        // One target per system library: a module map, and a shim of a few lines where C needs one.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CLittleCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(name: "CDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CPNG", linkerSettings: [.linkedLibrary("png")]),
        .target(name: "CPixels"),
        .target(name: "CChecksum"),

        .target(
            name: "WebImage",
            dependencies: [
                "CCurl", "CJPEG", "CPNG", "CWebP", "CLittleCMS", "CDeflate", "CCrypto", "CPixels", "CChecksum",
                "CLinux",
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "WebImageTesting", dependencies: ["WebImage", "CMicroHTTPD"], resources: [.copy("Certificates")],
            swiftSettings: swiftSettings),
        // What the project's command lines share: arguments, messages, files that are whole or not at all.
        .target(name: "WebImageCommandLine", dependencies: ["WebImage", "CLinux"], swiftSettings: swiftSettings),
        .executableTarget(
            name: "webimage", dependencies: ["WebImage", "WebImageCommandLine", "CLinux"], swiftSettings: swiftSettings),
        // Lets the thread sanitizer see Swift's locks; empty without it.
        .target(name: "CThreadSanitizer", path: "Tests/CThreadSanitizer"),
        // What the tests need of the system: starting programs, other users, small file systems.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        // Stores and removes at full speed, to be killed.
        .executableTarget(
            name: "webimage-hammer", dependencies: ["WebImageTesting"], path: "Tests/CacheHammer",
            swiftSettings: swiftSettings),
        .testTarget(
            name: "WebImageTests",
            dependencies: [
                "WebImage", "WebImageTesting", "WebImageCommandLine", "webimage", "webimage-hammer", "CCrypto",
                "CLinux", "CSpawn", "CThreadSanitizer",
            ],
            resources: [.copy("Fixtures")], swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)

if withGTK {
    package.products += [
        .library(name: "WebImageGTK", targets: ["WebImageGTK"]),
        .executable(name: "webimage-gallery", targets: ["webimage-gallery"]),
        .executable(name: "webimage-transition", targets: ["webimage-transition"]),
    ]
    package.targets += [
        .systemLibrary(name: "CGtk4", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .target(
            name: "WebImageGTK", dependencies: ["WebImage", "CGtk4", "CLinux"],
            swiftSettings: swiftSettings + [.defaultIsolation(MainActor.self)]),
        .systemLibrary(name: "CWebPMux", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"])]),
        .executableTarget(
            name: "webimage-transition",
            dependencies: ["WebImage", "WebImageCommandLine", "WebImageGTK", "CGtk4", "CWebP", "CWebPMux"],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "webimage-gallery", dependencies: ["WebImageGTK", "WebImageTesting", "CGtk4", "CLinux"],
            resources: [.copy("Pictures")],
            swiftSettings: swiftSettings + [.defaultIsolation(MainActor.self)]),
        // What a frame of a transition costs; `make bench` runs it.
        .executableTarget(
            name: "webimage-frames", dependencies: ["WebImageGTK", "CGtk4"], path: "Benchmarks/Frames",
            swiftSettings: swiftSettings + [.defaultIsolation(MainActor.self)]),
        // What assistive technologies are told of a widget, for tests.
        .systemLibrary(name: "CGtkAccessibility", path: "Tests/CGtkAccessibility", pkgConfig: "gtk4"),
        // What the X server shows of a window, for tests; X11's headers come with GTK's.
        .systemLibrary(name: "CScreen", path: "Tests/CScreen", pkgConfig: "gtk4"),
        .testTarget(
            name: "WebImageGTKTests",
            dependencies: [
                "WebImageGTK", "WebImageCommandLine", "webimage-gallery", "webimage-transition", "WebImageTesting",
                "CGtk4", "CGtkAccessibility", "CScreen", "CLinux", "CThreadSanitizer",
            ],
            swiftSettings: swiftSettings),
    ]
}
