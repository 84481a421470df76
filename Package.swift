// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Servers without GTK build everything else: `WEBIMAGE_WITHOUT_GTK=1 swift build`.
/// (A package that depends on the product `WebImage` alone never needs it: SwiftPM builds only what is used.)
let withGTK = Context.environment["WEBIMAGE_WITHOUT_GTK"] == nil

/// Machines without GStreamer build everything but videos, and so do those with it: `WEBIMAGE_WITHOUT_VIDEO=1 swift build`.
let withVideo =
    Context.environment["WEBIMAGE_WITHOUT_VIDEO"] == nil && exists("/usr/include/gstreamer-1.0/gst/app/gstappsink.h")
    && exists("/usr/include/gstreamer-1.0/gst/video/video.h")

/// For the programs, and their tests, which have videos where they are built.
let videoDependencies: [Target.Dependency] = withVideo ? ["WebImageVideo"] : []
let videoSettings: [SwiftSetting] = withVideo ? [.define("VIDEO")] : []

/// Compiling all tests takes minutes. `WEBIMAGE_TESTS=Cache,Coders swift build --build-tests` compiles only
/// WebImageCacheTests and WebImageCodersTests; `scripts/check` chooses by what has changed.
let chosenTests = Context.environment["WEBIMAGE_TESTS"]?.split(separator: ",").map(String.init)

/// The targets that the product `WebImage` consists of.
let library = [
    "WebImageCore", "WebImagePixels", "WebImageCoders", "WebImageIsolation", "WebImageCache", "WebImageHTTP",
    "WebImageLoading", "WebImagePresentation",
]

/// All of the library, for products: a package that depends on a product is compiled anew only where a target that the product
/// names has changed, and `WebImage`, which exports the others, hardly ever does.
let whole = ["WebImage"] + library

/// What a module with a coder of its own stands on.
let coding: [Target.Dependency] = ["WebImageCore", "WebImagePixels", "WebImageCoders"]

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// For support of tests: references are computed for each pixel, which takes ten times as long where nothing is optimized.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"])]

// MARK: - System libraries

// SwiftPM reads a library's .pc file for its include directories, and warns at every build, also of packages that use
// WebImage, about all other compiler flags in it, such as -pthread. So a library in the usual place is used without its
// .pc file: the module maps name the libraries to link. pkg-config finds libraries anywhere else, and those of a system
// with several architectures.

/// Whether pkg-config is to find all libraries, because its search path is set.
let choosesLibraries = ["PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR"].contains {
    Context.environment[$0]?.isEmpty == false
}

/// The directories of headers and libraries below /usr that depend on the architecture: on Debian, elsewhere.
let architectures = ["x86_64", "aarch64", "riscv64"].map { "\($0)-linux-gnu" } + ["arm-linux-gnueabihf"]
let libraryFolders = architectures.map { "/usr/lib/\($0)" } + ["/usr/lib64", "/usr/lib"]

func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

/// A library whose `header` compilers find by themselves, or pkg-config for them.
func library(_ module: String, _ name: String, _ header: String, apt: String...) -> Target {
    let folders = ["/usr/include"] + architectures.map { "/usr/include/\($0)" }
    let isUsual = !choosesLibraries && folders.contains { exists("\($0)/\(header)") }
    return .systemLibrary(name: module, pkgConfig: isUsual ? nil : name, providers: [.apt(apt)])
}

/// A library that stands on GLib, whose headers are in many directories. `folder` is below /usr/include.
func desktopLibrary(
    _ module: String, path: String? = nil, _ name: String, _ folder: String, apt: String...
) -> Target {
    let configurations = libraryFolders.filter { exists("\($0)/glib-2.0/include/glibconfig.h") }
    let headers = "\(Context.packageDirectory)/Sources/desktop-headers.pc"
    let isUsual =
        !choosesLibraries && exists("/usr/include/\(folder)")
        && Set(configurations.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }).count == 1
        // SwiftPM takes a space for the end of a name.
        && !headers.contains(" ")
    return .systemLibrary(name: module, path: path, pkgConfig: isUsual ? headers : name, providers: [.apt(apt)])
}

// MARK: - The package

let package = Package(
    name: "WebImage",
    products: [
        .library(name: "WebImage", targets: whole),
        .library(name: "WebImagePresentation", targets: library),
        .library(name: "WebImageTesting", targets: ["WebImageTesting"]),
        .library(name: "WebImageTIFF", targets: ["WebImageTIFF"]),
        .library(name: "WebImageSVG", targets: ["WebImageSVG"]),
        .library(name: "WebImagePDF", targets: ["WebImagePDF"]),
        .executable(name: "webimage", targets: ["webimage"]),
        .executable(name: "webimage-decoder", targets: ["webimage-decoder"]),
        .library(name: "WebImageAVIF", targets: ["WebImageAVIF"]),
        .library(name: "WebImageHEIF", targets: ["WebImageHEIF"]),
        .library(name: "WebImageJXL", targets: ["WebImageJXL"]),
        .library(name: "WebImageMemcached", targets: ["WebImageMemcached", "WebImageCache", "WebImageCore"]),
        .library(name: "WebImageServer", targets: ["WebImageServer"] + whole),
    ],
    traits: [
        .trait(name: "PDF", description: "The coder for PDF, on poppler, whose licence is the GPL.")
    ],
    targets: [
        // One target per system library: a module map, and a shim of a few lines where C needs one.
        library("CCurl", "libcurl", "curl/curl.h", apt: "libcurl4-openssl-dev"),
        library("CWebP", "libwebpmux", "webp/mux.h", apt: "libwebp-dev"),
        library("CLittleCMS", "lcms2", "lcms2.h", apt: "liblcms2-dev"),
        library("CDeflate", "libdeflate", "libdeflate.h", apt: "libdeflate-dev"),
        library("CCrypto", "libcrypto", "openssl/crypto.h", apt: "libssl-dev"),
        library("CMicroHTTPD", "libmicrohttpd", "microhttpd.h", apt: "libmicrohttpd-dev"),
        .systemLibrary(name: "CLinux"),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CPNG", linkerSettings: [.linkedLibrary("png")]),
        .target(name: "CPixels"),
        .target(name: "CChecksum"),
        .target(name: "CSandbox"),
        .target(name: "CProcess"),

        // The library, from the bottom up: each target uses only those before it.
        .target(
            name: "WebImageCore", dependencies: ["CChecksum", "CCrypto", "CLinux", "CPixels", "CProcess"],
            swiftSettings: swiftSettings),
        .target(
            name: "WebImagePixels", dependencies: ["WebImageCore", "CLittleCMS", "CPixels"],
            swiftSettings: swiftSettings),
        .target(
            name: "WebImageCoders",
            dependencies: [
                "WebImageCore", "WebImagePixels", "CDeflate", "CJPEG", "CLinux", "CPNG", "CPixels", "CWebP",
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "WebImageIsolation", dependencies: ["WebImageCore", "WebImageCoders", "CLinux", "CProcess"],
            swiftSettings: swiftSettings),
        .target(
            name: "WebImageCache", dependencies: ["WebImageCore", "WebImagePixels", "WebImageCoders", "CLinux"],
            swiftSettings: swiftSettings),
        .target(name: "WebImageHTTP", dependencies: ["WebImageCore", "CCurl", "CLinux"], swiftSettings: swiftSettings),
        .target(
            name: "WebImageLoading",
            dependencies: [
                "WebImageCore", "WebImagePixels", "WebImageCoders", "WebImageIsolation", "WebImageCache",
                "WebImageHTTP", "CLinux",
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "WebImagePresentation",
            dependencies: [
                "WebImageCore", "WebImagePixels", "WebImageCoders", "WebImageHTTP", "WebImageLoading", "CPixels",
            ],
            swiftSettings: swiftSettings),
        // Exports all of them, so that an app writes one import.
        .target(
            name: "WebImage", dependencies: library.map { .target(name: $0) }, swiftSettings: swiftSettings),
        // AVIF
        library("CAVIF", "libavif", "avif/avif.h", apt: "libavif-dev"),
        .target(name: "WebImageAVIF", dependencies: coding + ["CAVIF"], swiftSettings: swiftSettings),
        // HEIF
        library("CHEIF", "libheif", "libheif/heif.h", apt: "libheif-dev"),
        .target(name: "WebImageHEIF", dependencies: coding + ["CHEIF", "CPixels"], swiftSettings: swiftSettings),
        // JPEG XL
        library("CJXL", "libjxl", "jxl/decode.h", apt: "libjxl-dev"),
        .target(name: "WebImageJXL", dependencies: coding + ["CJXL"], swiftSettings: swiftSettings),
        // TIFF
        .target(name: "CTIFF", linkerSettings: [.linkedLibrary("tiff")]),
        .target(name: "WebImageTIFF", dependencies: coding + ["CTIFF", "CPixels"], swiftSettings: swiftSettings),
        // PDF: empty without the trait, because poppler's licence is the GPL.
        desktopLibrary("CPoppler", "poppler-glib", "poppler/glib", apt: "libpoppler-glib-dev"),
        .target(
            name: "WebImagePDF",
            dependencies: coding + [.target(name: "CPoppler", condition: .when(traits: ["PDF"]))],
            swiftSettings: swiftSettings),
        // SVG
        desktopLibrary("CLibRSVG", "librsvg-2.0", "librsvg-2.0", apt: "librsvg2-dev"),
        .target(
            name: "CRSVG", dependencies: ["CLibRSVG"],
            linkerSettings: ["rsvg-2", "gio-2.0", "gobject-2.0", "glib-2.0", "cairo"].map { .linkedLibrary($0) }),
        .target(
            name: "WebImageSVG", dependencies: coding + ["CRSVG", "CPixels", "CDeflate"],
            swiftSettings: swiftSettings),
        // What a process that decodes is locked into.
        .target(name: "WebImageSandbox", dependencies: ["CSandbox"], swiftSettings: swiftSettings),
        // The side of the process that decodes.
        .target(
            name: "WebImageDecoder",
            dependencies: [
                "WebImageCore", "WebImageCoders", "WebImageIsolation", "WebImageAVIF", "WebImageHEIF", "WebImageJXL",
                "WebImageSVG", "WebImageTIFF", "WebImagePDF", "WebImageSandbox", "CLinux", "CProcess",
            ] + videoDependencies, swiftSettings: swiftSettings + videoSettings),
        // Fonts for locked processes, for programs that are nothing but decoders: it replaces functions of the C library.
        .target(name: "CFontBroker", linkerSettings: [.linkedLibrary("fontconfig")]),
        .target(
            name: "WebImageFontAccess", dependencies: ["WebImageDecoder", "CFontBroker"], swiftSettings: swiftSettings),
        // One clear ending where such a program gets no memory: it replaces functions of the C library as well.
        .target(name: "CAllocation"),
        .executableTarget(
            name: "webimage-decoder",
            dependencies: ["WebImageIsolation", "WebImageDecoder", "WebImageFontAccess", "CAllocation"],
            swiftSettings: swiftSettings),
        .target(
            name: "WebImageTesting", dependencies: ["WebImageCore", "WebImageCache", "CMicroHTTPD"],
            resources: [.copy("Certificates")], swiftSettings: swiftSettings),
        // A tier that machines share
        .target(
            name: "WebImageMemcached", dependencies: ["WebImageCore", "WebImageCache"], swiftSettings: swiftSettings),
        // Pictures over HTTP
        .target(
            name: "WebImageServer",
            dependencies: whole.map { .target(name: $0) } + ["WebImageMemcached", "CCrypto", "CLinux", "CMicroHTTPD"],
            swiftSettings: swiftSettings),
        // Pictures in a terminal
        desktopLibrary("CLibChafa", "chafa", "chafa", apt: "libchafa-dev"),
        .target(
            name: "CChafa", dependencies: ["CLibChafa"],
            linkerSettings: ["chafa", "glib-2.0"].map { .linkedLibrary($0) }),
        // Shared by the project's command lines: arguments, messages, files that are written completely or not at all.
        .target(name: "WebImageCommandLine", dependencies: ["WebImage", "CLinux"], swiftSettings: swiftSettings),
        .executableTarget(
            name: "webimage",
            dependencies: [
                "WebImage", "WebImageAVIF", "WebImageHEIF", "WebImageJXL", "WebImageSVG", "WebImageTIFF", "WebImagePDF",
                "WebImageCommandLine", "WebImageCore", "WebImageServer", "CChafa", "CLinux",
            ] + videoDependencies, swiftSettings: swiftSettings + videoSettings),
        // Lets the thread sanitizer see Swift's locks; empty without it.
        .target(name: "CThreadSanitizer", path: "Tests/CThreadSanitizer"),
        // System calls for tests: starting programs, other users, small file systems.
        .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
        .systemLibrary(name: "CMalloc", path: "Tests/CMalloc"),
        .systemLibrary(name: "CRefusal", path: "Tests/CRefusal"),
        // Stores and removes at full speed until a test kills it.
        .executableTarget(
            name: "webimage-hammer", dependencies: ["WebImageTesting", "CThreadSanitizer"], path: "Tests/CacheHammer",
            swiftSettings: swiftSettings),
        // Waits for a prefetch at its top level, as programs without functions do.
        .executableTarget(
            name: "webimage-top-level", dependencies: ["WebImage"], path: "Tests/TopLevel", swiftSettings: swiftSettings
        ),
        // Decodes hostile files in every way, under kernel limits.
        .executableTarget(
            name: "webimage-ordeal",
            dependencies: [
                "WebImageCore", "WebImageCoders", "WebImageIsolation", "WebImageAVIF", "WebImageJXL", "WebImageTIFF",
                "WebImagePDF",
            ],
            path: "Tests/Ordeal", swiftSettings: swiftSettings),
        // Hostile code, and ordinary decodes, in a process that is locked in.
        .target(name: "CCanary", path: "Tests/CCanary"),
        .executableTarget(
            name: "webimage-escape",
            dependencies: [
                "WebImageCore", "WebImageCoders", "WebImageAVIF", "WebImageHEIF", "WebImageJXL", "WebImageSVG",
                "WebImageTIFF", "WebImagePDF", "WebImageSandbox", "CCanary",
            ],
            path: "Tests/Escape", swiftSettings: swiftSettings),
        // A helper whose workers do what a test asks for, also what no decoder does.
        .executableTarget(
            name: "webimage-faulty-decoder",
            dependencies: [
                "WebImageCore", "WebImageCoders", "WebImageIsolation", "WebImageDecoder", "WebImageFontAccess",
                "WebImageSVG", "CAllocation", "CCanary", "CRefusal",
            ],
            path: "Tests/FaultyDecoder", swiftSettings: swiftSettings),
        // Shared by all tests: the corpus, pixels, damage.
        .target(
            name: "WebImageTestSupport",
            dependencies: coding + ["WebImageIsolation", "WebImageTesting", "CCrypto", "CThreadSanitizer"],
            path: "Tests/WebImageTestSupport", swiftSettings: swiftSettings + optimized),
        // Shared by the tests of the library: doubles, builders of files, `webimage` as a process.
        .target(
            name: "WebImageTestDoubles",
            dependencies: coding + [
                "WebImageCache", "WebImageHTTP", "WebImageTesting", "WebImageTestSupport", "CCurl", "CSpawn",
            ],
            path: "Tests/WebImageTestDoubles", swiftSettings: swiftSettings),
        // The same for tests of whole loads and of views.
        .target(
            name: "WebImageTestLoads",
            dependencies: [
                "WebImageCore", "WebImageCoders", "WebImageCache", "WebImageHTTP", "WebImageLoading",
                "WebImagePresentation", "WebImageTesting", "WebImageTestSupport", "WebImageTestDoubles",
            ],
            path: "Tests/WebImageTestLoads", swiftSettings: swiftSettings + optimized),
    ],
    swiftLanguageModes: [.v6]
)

// MARK: - Tests

/// The tests of a target. The compiler expands the macros of a whole module whenever a file of it is compiled: many small
/// modules are tested sooner than a large one.
func tests(_ name: String, of targets: [Target.Dependency], with dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: targets + ["WebImageTesting", "WebImageTestSupport", "WebImageTestDoubles"] + dependencies,
        swiftSettings: swiftSettings + videoSettings)
}

package.targets += [
    tests("WebImageCoreTests", of: ["WebImageCore"]),
    tests("WebImagePixelsTests", of: coding),
    tests("WebImageCodersTests", of: coding, with: ["webimage-ordeal", "webimage-decoder", "CPixels"]),
    tests(
        "WebImageIsolationTests",
        of: coding + ["WebImageIsolation", "WebImageCache", "WebImageHTTP", "WebImageLoading"],
        with: [
            "WebImageTestLoads", "WebImageDecoder", "WebImageSandbox", "WebImageSVG", "webimage-decoder",
            "webimage-faulty-decoder", "CRefusal",
            // For the version of the library.
            "CLibRSVG",
        ]),
    tests("WebImageCacheTests", of: ["WebImageCore", "WebImageCache"], with: ["webimage-hammer", "CLinux", "CSpawn"]),
    tests("WebImageHTTPTests", of: ["WebImageCore", "WebImageCoders", "WebImageHTTP"], with: ["CCurl", "CMalloc"]),
    // The tests of what needs whole loads, such as queries of caches, are here as well.
    tests(
        "WebImageLoadingTests",
        of: coding + ["WebImageCache", "WebImageHTTP", "WebImageLoading", "WebImagePresentation", "WebImage"],
        with: ["WebImageTestLoads", "webimage-top-level"]),
    tests(
        "WebImagePresentationTests",
        of: coding + ["WebImageCache", "WebImageHTTP", "WebImageLoading", "WebImagePresentation"],
        with: ["WebImageTestLoads"]),
    tests(
        "WebImageCommandLineTests", of: ["WebImage", "WebImageCommandLine", "webimage"],
        with: ["WebImageTestLoads", "webimage-decoder", "CLinux"]),
    tests("WebImageDocumentationTests", of: ["WebImage"]),
    tests("WebImageMemcachedTests", of: ["WebImage", "WebImageCache", "WebImageMemcached"], with: ["CSpawn"]),
    tests(
        "WebImageServerTests", of: ["WebImage", "WebImageCore", "WebImageMemcached", "WebImageServer"],
        with: ["webimage", "webimage-decoder", "CCrypto", "CSpawn"]),
    // The version of librsvg decides what it needs files for.
    tests("WebImageSandboxTests", of: ["WebImageSandbox"], with: ["webimage-escape", "CLibRSVG"]),
    // The coder modules.
    .testTarget(
        name: "WebImageCoderModulesTests",
        dependencies: [
            "WebImageCore", "WebImagePixels", "WebImageCoders", "WebImageIsolation", "WebImageLoading", "WebImageAVIF",
            "WebImageHEIF", "WebImageJXL", "WebImageTIFF", "WebImageSVG", "WebImagePDF", "WebImageTestSupport",
            "webimage-decoder",
            // For the versions of the libraries.
            "CAVIF", "CJXL", "CLibRSVG",
        ],
        swiftSettings: swiftSettings),
]

if withVideo {
    package.products.append(.library(name: "WebImageVideo", targets: ["WebImageVideo"]))
    package.targets += [
        desktopLibrary(
            "CLibGStreamer", "gstreamer-app-1.0", "gstreamer-1.0", apt: "libgstreamer1.0-dev",
            "libgstreamer-plugins-base1.0-dev"),
        .target(
            name: "CVideo", dependencies: ["CLibGStreamer"],
            // GStreamer itself is loaded for the first video.
            linkerSettings: ["gio-2.0", "gobject-2.0", "glib-2.0", "dl"].map { .linkedLibrary($0) }),
        .target(name: "WebImageVideo", dependencies: coding + ["CVideo"], swiftSettings: swiftSettings),
        .testTarget(
            name: "WebImageVideoTests",
            dependencies: ["WebImage", "WebImageVideo", "WebImageTestSupport", "webimage-decoder"],
            swiftSettings: swiftSettings),
    ]
}

if withGTK {
    package.products += [
        .library(name: "WebImageGTK", targets: ["WebImageGTK"] + whole),
        .executable(name: "webimage-gallery", targets: ["webimage-gallery"]),
        .executable(name: "webimage-transition", targets: ["webimage-transition"]),
    ]
    package.targets += [
        desktopLibrary("CGtk4", "gtk4", "gtk-4.0", apt: "libgtk-4-dev", "libepoxy-dev"),
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
                "WebImageCommandLine", "WebImageTesting", "CGtk4",
            ] + videoDependencies,
            resources: [.copy("Pictures")],
            swiftSettings: swiftSettings + videoSettings + [.defaultIsolation(MainActor.self)]),
        // Measures frames of transitions, list cells and first screens; `make bench` runs it.
        .executableTarget(
            name: "webimage-frames", dependencies: ["WebImageGTK", "WebImageTesting", "CGtk4", "CScreen"],
            path: "Benchmarks/Frames",
            swiftSettings: swiftSettings + [.defaultIsolation(MainActor.self)]),
        // The accessible properties of a widget, for tests.
        desktopLibrary("CGtkAccessibility", path: "Tests/CGtkAccessibility", "gtk4", "gtk-4.0", apt: "libgtk-4-dev"),
        // The pixels of a window on the X server, for tests and a benchmark; X11's headers come with GTK's.
        desktopLibrary("CScreen", path: "Tests/CScreen", "gtk4", "gtk-4.0", apt: "libgtk-4-dev"),
        .testTarget(
            name: "WebImageGTKTests",
            dependencies: [
                "WebImageGTK", "WebImageCommandLine", "webimage-gallery", "webimage-transition", "webimage-decoder",
                "WebImageTesting", "WebImageTestSupport", "WebImageTestLoads", "CGtk4", "CGtkAccessibility", "CMalloc",
                "CScreen", "CLinux", "CThreadSanitizer",
            ],
            swiftSettings: swiftSettings),
    ]
}

if let chosenTests {
    package.targets.removeAll { $0.type == .test && !chosenTests.map { "WebImage\($0)Tests" }.contains($0.name) }
}

// SwiftPM compiles a target anew only where one that it names has changed, and reads the modules behind that one all the same:
// with an old layout of what has changed there, a program crashes. So each target names all that it stands on.
let modules = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })

func named(by target: Target) -> [String] {
    target.dependencies.compactMap { dependency in
        switch dependency {
        case .byNameItem(let name, _), .targetItem(let name, _): name
        default: nil
        }
    }
}

@MainActor func foundations(of target: Target) -> Set<String> {
    let direct = named(by: target).compactMap { modules[$0] }.filter { $0.type == .regular }
    return direct.reduce(Set(direct.map(\.name))) { $0.union(foundations(of: $1)) }
}

for target in package.targets where target.type != .system {
    let missing = foundations(of: target).subtracting(named(by: target))
    target.dependencies += missing.sorted().map { .target(name: $0) }
}
