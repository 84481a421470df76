import CVips
import FoundationEssentials
import WebImage

// usage: Benchmarks [RESULTS.json [ID,ID…]]      or, as its own child process: Benchmarks WORK FILE|ID PEAK

let benchmarks: [any Benchmark] =
    [
        MemoryHit<LRUNamedCache>(), MemoryHit<NSCacheNamedCache>(), MemoryThreads<OurNamedCache, OwnPictures>(),
        MemoryThreads<OurNamedCache, SamePictures>(), MemoryThreads<BareNamedCache, SamePictures>(),
        MemoryThreads<LRUNamedCache, OwnPictures>(),
        MemoryStore<LRUNamedCache>(), MemoryStore<NSCacheNamedCache>(), MemoryPolicies(),
        MemoryLoad(), MemoryLoadAllocations(), CacheQuery(), MissedLoad(), JoinedLoads(), DiskHit(), FreshAnswer(),
        Validation(),
        DownloadTime<SmallOverHTTP1>(), DownloadProcessorTime<SmallOverHTTP1>(), DownloadTime<SmallOverHTTP2>(),
        DownloadProcessorTime<SmallOverHTTP2>(), LargeDownloads(), SessionTime(), SessionProcessorTime(), LoadStart(),
        LoadCancel(),
        DiskRead<SmallBody>(), DiskRead<LargeBody>(), DiskStore<SmallBody>(), DiskStore<LargeBody>(),
        FullDecode<BareJPEG>(), FullDecode<BarePNG>(), FullDecode<BareWebP>(), FullDecode<BareAVIF>(),
        FullDecode<BareHEIF>(), FullDecode<BareJXL>(), GIFAnimation(), GIFAnimationPixbuf(), GIFQuality<PhotoSample>(),
        GIFQuality<GradientSample>(), GIFQuality<DrawingSample>(), GIFQuality<PanSample>(), GIFQuality<MovingSample>(),
        SRGBThumbnail(), ThumbnailDecode(), ThumbnailMemory(), ThumbnailThreads(), ThumbnailAllocations(),
        ThumbnailBytes(),
        ColorThumbnail(), ProgressiveThumbnail(),
        ProgressivePreview(), PreviewQuality<EighthOfPhoto>(), PreviewQuality<QuarterOfPhoto>(),
        PreviewQuality<HalfOfPhoto>(), ProgressivePartials(), OtherThumbnail<BarePNG>(), OtherThumbnail<BareWebP>(),
        OtherThumbnail<BareAVIF>(), HeaderInformation(), HeaderAllocations(), HeaderBytes(), EffectLayers(),
        PlaceholderHash<ThumbEncode>(), PlaceholderHash<ThumbDecode>(), PlaceholderHash<BlurEncode>(),
        PlaceholderHash<BlurDecode>(),
        DiskIndexOpen(), DiskIndexMemory(), DiskIndexLookup(), DiskIndexContains(), DiskIndexEviction(),
        DiskIndexRebuild(), TilesBase(), TilesLatency(), TilesMemory(),
    ] + PictureOperations.benchmarks
/// There are no frames and no cells without GTK.
let frames: [any Benchmark] = [
    FrameTime<CrossDissolve>(), FrameTime<Flip>(), FrameTime<Curl>(), FrameTime<Zoom>(), BindTime(),
    GalleryScroll<ScrollStall>(),
    GalleryScroll<ScrollDelay>(), GalleryScroll<ScrollGrowth>(), FirstScreenNetwork<TenRows>(),
    FirstScreenNetwork<TwoDozenCells>(), FirstScreenFetched(), FirstScreenDisk(), FirstScreenUnseen(),
    FirstScreenMemory(), PlaybackCost<PlayedGIF>(), PlaybackCost<PlayedAPNG>(), PlaybackCost<PlayedWebP>(),
    PlaybackLateness(), PlaybackViews(), PlaybackHidden(), PlaybackMainThread(), PlaybackMemory(),
    PlaybackAgainstTextures(), PlaybackAgainstVideo(), BrowserFlight(), BrowserTurn(), BrowserGrid(), BrowserPan(),
    BrowserMemory(), OpenedPicture(),
]
/// They need the helper program.
let workers: [any Benchmark] = [
    WorkerFirstAnswer(), WorkerDecode<WorkerJPEG>(), WorkerDecode<WorkerCopy<WorkerJPEG>>(),
    WorkerDecode<WorkerAVIF>(), WorkerDecode<WorkerCopy<WorkerAVIF>>(), WorkerDecode<WorkerSmallJPEG>(),
    WorkerDecode<WorkerPerOrigin<WorkerSmallJPEG>>(), WorkerDecode<WorkerIcons>(),
    WorkerDecode<WorkerPerOrigin<WorkerIcons>>(), WorkerMemory(), WorkerLateness(),
]
/// They need bubblewrap as well.
let wrapped: [any Benchmark] = [
    WorkerBubblewrap<WorkerJPEG>(), WorkerBubblewrap<WorkerAVIF>(), WorkerBubblewrap<WorkerSmallJPEG>(),
]
/// They need the picture server, and thumbor beside it.
let services: [any Benchmark] = [
    ServiceThroughput<ServiceJPEG3>(), ServiceThroughput<ServiceJPEG12>(), ServiceThroughput<ServicePNG>(),
    ServiceMemory(), ServiceLatency(), ServiceOverload(), ServiceGrowth(), SharedTierHit(),
]
/// They need the helper program and GTK.
let screens: [any Benchmark] = [WorkerFirstScreen()]
let arguments = Array(CommandLine.arguments.dropFirst())

do {
    if arguments.count == 3, arguments[0] == "thumbnail-vips" {
        guard webimage_vips_start() == 0 else { throw BenchmarkError("vips does not start") }
        try ThumbnailDecode.vips(try Data(contentsOf: URL(filePath: arguments[1])))
        try Child.reportPeak(to: arguments[2])
    } else if arguments.count == 3, arguments[0] == "tiles-peak" {
        try await LargePicture.browse(arguments[1])
        try Child.reportPeak(to: arguments[2])
    } else if arguments.count == 3, arguments[0] == "operation-peak" {
        try OperationPeak.report(arguments[1], to: arguments[2])
    } else {
        guard webimage_vips_start() == 0 else { throw BenchmarkError("vips does not start") }
        let only = arguments.dropFirst().first.map { $0.split(separator: ",").map(String.init) } ?? []
        let ids = Set((benchmarks + frames + workers + wrapped + services + screens).map { type(of: $0).id })
        let (hasGTK, hasWorkers) = (FrameProgram.path != nil, WorkerCoders.helperPath != nil)
        if !Bubblewrap.isInstalled { print("bubblewrap is not installed: workers are not compared with it") }
        let hasServices = WebImageService.path != nil && ThumborService.path != nil
        if !hasServices { print("thumbor is not installed: the picture server is not measured") }
        let runnable =
            benchmarks + (hasGTK ? frames : []) + (hasWorkers ? workers : [])
            + (hasWorkers && Bubblewrap.isInstalled ? wrapped : []) + (hasServices ? services : [])
            + (hasWorkers && hasGTK ? screens : [])
        try await Report(path: arguments.first, ids: ids).run(runnable, only: only)
    }
} catch {
    print("bench: \(error)")
    exit(1)
}
