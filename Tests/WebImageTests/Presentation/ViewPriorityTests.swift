import Testing

@testable import WebImage

@Suite("Priority of views' loads") struct ViewPriorityTests {
    @Test(
        "S0-3 what nobody sees is not urgent, whatever was asked for",
        arguments: [[], .lowPriority, .highPriority] as [WebImageOptions])
    func unseen(options: WebImageOptions) {
        #expect(LoadPriority(inView: options, isSeen: false) == .low)
    }

    @Test(
        "S0-3 what is seen is more urgent than the same of what is not",
        arguments: [(.lowPriority, .normal), ([], .high), (.highPriority, .high)] as [(WebImageOptions, LoadPriority)])
    func seen(options: WebImageOptions, expected: LoadPriority) {
        #expect(LoadPriority(inView: options, isSeen: true) == expected)
    }

    @Test("S0-3 only loads of low priority wait for the end of the scrolling")
    func waiting() {
        #expect(WebImageOptions.lowPriority.isPatient)
        #expect(!WebImageOptions().isPatient)
        #expect(!([.lowPriority, .highPriority] as WebImageOptions).isPatient)
    }
}
