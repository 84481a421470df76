import Testing
import WebImageCore
import WebImagePresentation

@Suite("Priority of views' loads") struct ViewPriorityTests {
    @Test(
        "S0-3 an invisible view's load has a low priority, whatever was requested",
        arguments: [[], .lowPriority, .highPriority] as [WebImageOptions])
    func unseen(options: WebImageOptions) {
        #expect(LoadPriority(inView: options, isSeen: false) == .low)
    }

    @Test(
        "S0-3 a visible view's load is more urgent than the same of an invisible one",
        arguments: [(.lowPriority, .normal), ([], .high), (.highPriority, .veryHigh)]
            as [(WebImageOptions, LoadPriority)])
    func seen(options: WebImageOptions, expected: LoadPriority) {
        #expect(LoadPriority(inView: options, isSeen: true) == expected)
    }

    @Test("S0-3 S0-10 OPT-7 the requested priority orders visible views")
    func order() {
        let options = [.lowPriority, [], .highPriority] as [WebImageOptions]
        let seen = options.map { LoadPriority(inView: $0, isSeen: true) }
        #expect(seen == seen.sorted())
        #expect(Set(seen).count == 3)
        #expect(!seen.contains(.low))
    }

    @Test("S0-3 only loads of low priority wait for the end of the scrolling")
    func waiting() {
        #expect(WebImageOptions.lowPriority.isPatient)
        #expect(!WebImageOptions().isPatient)
        #expect(!([.lowPriority, .highPriority] as WebImageOptions).isPatient)
    }
}
