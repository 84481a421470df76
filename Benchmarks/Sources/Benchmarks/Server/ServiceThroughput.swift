import FoundationEssentials

/// A source of pictures for a service, by its name in the results.
protocol ServicePicture: Sendable {
    static var name: String { get }
    static var what: String { get }
    static var file: ServedFolder.Picture { get }
    /// The required ratio to thumbor.
    static var goal: Double { get }
}

enum ServiceJPEG3: ServicePicture {
    static let name = "jpeg-3mp"
    static let what = "JPEG, 3 MP"
    static let file = ServedFolder.Picture.smallJPEG
    static let goal = 0.5
}

enum ServiceJPEG12: ServicePicture {
    static let name = "jpeg-12mp"
    static let what = "JPEG, 12 MP"
    static let file = ServedFolder.Picture.largeJPEG
    static let goal = 0.5
}

enum ServicePNG: ServicePicture {
    static let name = "png-3mp"
    static let what = "PNG, 3 MP"
    static let file = ServedFolder.Picture.png
    static let goal = 1 / 1.8
}

/// Milliseconds for a picture to 500 pixels at full load, two workers each, against thumbor.
struct ServiceThroughput<Picture: ServicePicture>: Benchmark {
    static var id: String { "serve-\(Picture.name)" }
    static var what: String { "\(Picture.what), to 500 px over HTTP, two workers" }

    func run() async throws -> Measurement {
        let folder = try ServedFolder()
        let (ours, thumbor) = (try WebImageService(), try ThumborService(workers: 2))
        let source = folder.url(Picture.file)
        let outcome = try await Turns(count: 5, warmUp: 1).compare {
            try milliseconds(ours.port, WebImageService.newTarget(source))
        } rival: {
            try milliseconds(thumbor.port, thumbor.target(source))
        }
        var result = measurement(outcome, rival: "thumbor 7.8", goal: Picture.goal)
        let filter = try milliseconds(folder.filterPort) { _ in "/\(Picture.file.rawValue)" }
        result.notes = try notes(filter, ours, thumbor, source)
        return result
    }

    private func milliseconds(_ port: UInt16, _ target: @escaping @Sendable (Int) -> String) throws -> Double {
        let outcome = try RequestLoad(port: port, connectionCount: 8, seconds: 4, target: target).run()
        guard outcome.times.count == 1 else { throw BenchmarkError("answers with \(outcome.times.keys.sorted())") }
        return 1000 / outcome.rate()
    }

    private func notes(
        _ filter: Double, _ ours: WebImageService, _ thumbor: ThumborService, _ source: String
    ) throws -> String {
        let folder = TemporaryDirectory()
        let files = [folder.path + "/ours", folder.path + "/thumbor"]
        try RequestLoad.save(ours.port, WebImageService.newTarget(source)(0), to: files[0])
        try RequestLoad.save(thumbor.port, thumbor.target(source)(0), to: files[1])
        let sizes = try files.map { try Data(contentsOf: URL(filePath: $0)).count }
        let report = folder.path + "/report"
        try Child.run(
            "sh",
            [
                "-c", "\"$0\" compare \"$1\" \"$2\" >\"$3\"; true", WebImageService.path ?? "", files[0], files[1],
                report,
            ])
        let text = String(decoding: try Data(contentsOf: URL(filePath: report)), as: UTF8.self)
        let likeness = text.split(separator: "\n").first { $0.contains("SSIM") }.map {
            $0.split(separator: " ").last ?? ""
        }
        return "nginx's image filter \((filter * 10).rounded() / 10) ms; SSIM to thumbor's result \(likeness ?? "-"), "
            + "\(sizes[0]) bytes to its \(sizes[1])"
    }
}

/// Peak memory of the whole service after pictures of 12 MP at full load, against thumbor with four processes.
struct ServiceMemory: Benchmark {
    static let id = "serve-memory"
    static let what = "Peak memory of a picture server at full load"

    func run() async throws -> Measurement {
        let folder = try ServedFolder()
        let (ours, thumbor) = (try WebImageService(), try ThumborService(workers: 4))
        let source = folder.url(.largeJPEG)
        for (port, target) in [
            (ours.port, WebImageService.newTarget(source)), (thumbor.port, thumbor.target(source)),
        ] {
            _ = try RequestLoad(port: port, connectionCount: 8, seconds: 8, target: target).run()
        }
        let peaks = (ours: ours.program.megabytes("VmHWM"), rival: thumbor.program.megabytes("VmHWM"))
        return Measurement(
            id: Self.id, what: Self.what, ours: peaks.ours, unit: "MB", rival: "thumbor 7.8, four processes",
            rivalValue: peaks.rival, ratio: peaks.ours / peaks.rival, goal: 0.5)
    }
}
