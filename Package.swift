// swift-tools-version: 6.2
import PackageDescription

/// Servers without GTK build everything else: `WEBIMAGE_WITHOUT_GTK=1 swift build`.
/// (A package that depends on the product `WebImage` alone never needs it: SwiftPM builds only what is used.)
let withGTK = Context.environment["WEBIMAGE_WITHOUT_GTK"] == nil

/// Compiling all tests takes minutes. `WEBIMAGE_TESTS=Coders,Image swift build --build-tests` compiles only these
/// folders, `WEBIMAGE_TESTS=` only the tests of the coder modules.
let testFolders = [
    "Animation", "Cache", "Coders", "CommandLine", "Documentation", "Image", "Loaders", "Manager", "Prefetch",
    "Presentation", "Request", "Simulation", "Testing", "Transformers",
]
let chosenFolders = Context.environment["WEBIMAGE_TESTS"]?.split(separator: ",").map(String.init) ?? testFolders

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "WebImage",
    products: [
        .library(name: "WebImage", targets: ["WebImage"]),
        .library(name: "WebImageTesting", targets: ["WebImageTesting"]),
        .library(name: "WebImageTIFF", targets: ["WebImageTIFF"]),
        .library(name: "WebImageSVG", targets: ["WebImageSVG"]),
        .library(name: "WebImagePDF", targets: ["WebImagePDF"]),
        .executable(name: "webimage", targets: ["webimage"]),
        .library(name: "WebImageAVIF", targets: ["WebImageAVIF"]),
        .library(name: "WebImageHEIF", targets: ["WebImageHEIF"]),
        .library(name: "WebImageJXL", targets: ["WebImageJXL"]),
    ],
    traits: [
        .trait(name: "PDF", description: "PDFCoder, on poppler, whose licence is the GPL.")
    ],
    targets: [
        // One target per system library: a module map, and a shim of a few lines where C needs one.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebpmux", providers: [.apt(["libwebp-dev"])]),
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
        // AVIF
        .systemLibrary(name: "CAVIF", pkgConfig: "libavif", providers: [.apt(["libavif-dev"])]),
        .target(name: "WebImageAVIF", dependencies: ["WebImage", "CAVIF"], swiftSettings: swiftSettings),
        // HEIF
        .systemLibrary(name: "CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
        .target(name: "WebImageHEIF", dependencies: ["WebImage", "CHEIF", "CPixels"], swiftSettings: swiftSettings),
        // JPEG XL
        .systemLibrary(name: "CJXL", pkgConfig: "libjxl", providers: [.apt(["libjxl-dev"])]),
        .target(name: "WebImageJXL", dependencies: ["WebImage", "CJXL"], swiftSettings: swiftSettings),
        // TIFF
        .target(name: "CTIFF", linkerSettings: [.linkedLibrary("tiff")]),
        .target(name: "WebImageTIFF", dependencies: ["WebImage", "CTIFF", "CPixels"], swiftSettings: swiftSettings),
        // PDF: empty without the trait, because poppler's licence is the GPL.
        .systemLibrary(name: "CPoppler", pkgConfig: "poppler-glib", providers: [.apt(["libpoppler-glib-dev"])]),
        .target(
            name: "WebImagePDF",
            dependencies: ["WebImage", .target(name: "CPoppler", condition: .when(traits: ["PDF"]))],
            swiftSettings: swiftSettings),
        // SVG
        .systemLibrary(name: "CLibRSVG", pkgConfig: "librsvg-2.0", providers: [.apt(["librsvg2-dev"])]),
        .target(name: "CRSVG", dependencies: ["CLibRSVG"]),
        .target(
            name: "WebImageSVG", dependencies: ["WebImage", "CRSVG", "CPixels", "CDeflate"],
            swiftSettings: swiftSettings),
        .target(
            name: "WebImageTesting", dependencies: ["WebImage", "CMicroHTTPD"], resources: [.copy("Certificates")],
            swiftSettings: swiftSettings),
        // Shared by the project's command lines: arguments, messages, files that are written completely or not at all.
        .target(name: "WebImageCommandLine", dependencies: ["WebImage", "CLinux"], swiftSettings: swiftSettings),
        .executableTarget(
            name: "webimage",
            dependencies: [
                "WebImage", "WebImageAVIF", "WebImageHEIF", "WebImageJXL", "WebImageSVG", "WebImageTIFF", "WebImagePDF",
                "WebImageCommandLine", "CLinux",
            ], swiftSettings: swiftSettings),
        // Lets the thread sanitizer see Swift's locks; empty without it.
        .target(name: "CThreadSanitizer", path: "Tests/CThreadSanitizer"),
        // System calls for tests: starting programs, other users, small file systems.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        // Stores and removes at full speed until a test kills it.
        .executableTarget(
            name: "webimage-hammer", dependencies: ["WebImageTesting", "CThreadSanitizer"], path: "Tests/CacheHammer",
            swiftSettings: swiftSettings),
        // Decodes hostile files in every way, under kernel limits.
        .executableTarget(
            name: "webimage-ordeal",
            dependencies: [
                "WebImage", "WebImageAVIF", "WebImageHEIF", "WebImageJXL", "WebImageSVG", "WebImageTIFF", "WebImagePDF",
            ],
            path: "Tests/Ordeal", swiftSettings: swiftSettings),
        // Shared by both test targets for coders: the corpus, pixels, damage.
        .target(
            name: "WebImageTestSupport", dependencies: ["WebImage", "WebImageTesting", "CCrypto"],
            path: "Tests/WebImageTestSupport", swiftSettings: swiftSettings),
        // The coder modules.
        .testTarget(
            name: "WebImageCodersTests",
            dependencies: [
                "WebImage", "WebImageAVIF", "WebImageHEIF", "WebImageJXL", "WebImageTIFF", "WebImageSVG", "WebImagePDF",
                "WebImageTestSupport",
            ],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)

if !chosenFolders.isEmpty {
    package.targets += [
        .testTarget(
            name: "WebImageTests",
            dependencies: [
                "WebImage", "WebImageTesting", "WebImageTestSupport", "WebImageCommandLine", "webimage",
                "webimage-hammer", "webimage-ordeal", "CCrypto",
                "CLinux", "CSpawn", "CThreadSanitizer",
            ],
            exclude: testFolders.filter { !chosenFolders.contains($0) }, resources: [.copy("Fixtures")],
            swiftSettings: swiftSettings)
    ]
}

if withGTK {
    package.products += [
        .library(name: "WebImageGTK", targets: ["WebImageGTK"]),
        .executable(name: "webimage-gallery", targets: ["webimage-gallery"]),
        .executable(name: "webimage-transition", targets: ["webimage-transition"]),
    ]
    package.targets += [
        .systemLibrary(name: "CGtk4", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev", "libepoxy-dev"])]),
        .target(
            name: "WebImageGTK", dependencies: ["WebImage", "CGtk4", "CLinux"],
            swiftSettings: swiftSettings + [.defaultIsolation(MainActor.self)]),
        .executableTarget(
            name: "webimage-transition",
            dependencies: ["WebImage", "WebImageCommandLine", "WebImageGTK", "CGtk4"],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "webimage-gallery",
            dependencies: [
                "WebImageGTK", "WebImageAVIF", "WebImageHEIF", "WebImageJXL", "WebImageSVG", "WebImageTIFF",
                "WebImageTesting",
                "CGtk4", "CLinux",
            ],
            resources: [.copy("Pictures")],
            swiftSettings: swiftSettings + [.defaultIsolation(MainActor.self)]),
        // Measures the frames of transitions; `make bench` runs it.
        .executableTarget(
            name: "webimage-frames", dependencies: ["WebImageGTK", "CGtk4"], path: "Benchmarks/Frames",
            swiftSettings: swiftSettings + [.defaultIsolation(MainActor.self)]),
        // The accessible properties of a widget, for tests.
        .systemLibrary(name: "CGtkAccessibility", path: "Tests/CGtkAccessibility", pkgConfig: "gtk4"),
        // The pixels of a window on the X server, for tests; X11's headers come with GTK's.
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
