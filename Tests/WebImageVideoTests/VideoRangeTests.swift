import Foundation
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageVideo

/// Luma has all 256 levels in the videos of many telephones and screen recorders, and those from 16 to 235 in others.
@Suite(
    "The range of luma in videos", .timeLimit(.minutes(5)),
    .needs("x264enc", "h264parse", "mp4mux", "matroskamux", "qtmux", "avdec_h264", "pngdec"))
struct VideoRangeTests {
    private let maker: VideoMaker

    init() throws { maker = try VideoMaker() }

    /// - Parameter range: 1 for the full one, 2 for the limited one, as GStreamer writes it.
    private func video(_ range: Int, _ muxer: String) throws -> Data {
        try maker.make(
            "video/x-raw,format=I420,colorimetry=\(range):3:5:1 ! x264enc bitrate=4000 ! h264parse", muxer, count: 3)
    }

    private func likeness(_ data: Data) throws -> Double {
        try VideoCoder().decode(data, options: ImageDecodeOptions()).bitmap.likeness(to: VideoMaker.frame(0))
    }

    @Test(
        "both ranges are read, whatever container the video is in", arguments: ["mp4mux", "qtmux", "matroskamux"],
        [1, 2])
    func ranges(muxer: String, range: Int) throws {
        let data = try video(range, muxer)
        let likeness = try likeness(data)
        #expect(likeness > 27, "\(likeness) dB")
    }

    @Test("a container that alone says that the range is full is believed")
    func containerOnly() throws {
        var data = try video(2, "mp4mux")
        #expect(!VideoContainer(data, .mp4).isFullRange)
        let box = try #require(data.range(of: Data("colrnclx".utf8)))
        data[box.upperBound + 6] |= 0x80
        #expect(VideoContainer(data, .mp4).isFullRange)
        let (full, limited) = (try likeness(data), try likeness(video(2, "mp4mux")))
        #expect(limited > full + 3, "\(limited) dB, \(full) dB")
        data = try video(1, "mp4mux")
        #expect(VideoContainer(data, .mp4).isFullRange)
        // The stream says so, too.
        data[box.upperBound + 6] &= 0x7F
        #expect(try likeness(data) > 27)
    }

    @Test("a container that is cut or has no colours says nothing")
    func nothingSaid() throws {
        let data = try video(1, "mp4mux")
        for count in [0, 7, 40, data.count / 2] { _ = VideoContainer(data.prefix(count), .mp4).isFullRange }
        var plain = data
        for box in plain.ranges(of: Data("colr".utf8)) { plain.replaceSubrange(box, with: Data("free".utf8)) }
        #expect(!VideoContainer(plain, .mp4).isFullRange)
        #expect(try likeness(plain) > 27)
    }

    @Test(
        "a small video that tells its range and no matrix has that of television", .needs("capssetter"),
        arguments: [1, 2])
    func noMatrix(range: Int) throws {
        let data = try maker.make(
            "video/x-raw,format=I420,colorimetry=\(range):4:5:1 ! capssetter caps=video/x-raw,colorimetry=\(range):0:0:0"
                + " ! x264enc bitrate=4000 ! h264parse", "matroskamux", count: 3)
        let likeness = try likeness(data)
        #expect(likeness > 27, "\(likeness) dB")
    }

    @Test("the ramp of a file of full range has its levels", .needsCase("fullrange_ramp_bt709.mp4"))
    func ramp() throws {
        let bitmap = try VideoCoder().decode(
            Corpus.caseData("fullrange_ramp_bt709.mp4"), options: ImageDecodeOptions()
        ).bitmap
        #expect([40, 80, 120].map { bitmap.pixel($0, 120)[0] } == [46, 92, 138])
    }
}
