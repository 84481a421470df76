// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Transition",
    dependencies: [.package(name: "WebImage", path: "../..")],
    targets: [
        .executableTarget(name: "Transition", dependencies: [.product(name: "WebImage", package: "WebImage")])
    ]
)
