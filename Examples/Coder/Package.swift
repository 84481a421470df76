// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Coder",
    dependencies: [.package(name: "WebImage", path: "../..")],
    targets: [
        .executableTarget(name: "Coder", dependencies: [.product(name: "WebImage", package: "WebImage")])
    ]
)
