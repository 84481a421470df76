import Testing
import WebImagePresentation
import WebImageTesting

@Suite("Background grant") struct BackgroundGrantTests {
    @Test("S0-7 the app is held from the first load to the end of the last one")
    func holding() {
        var grant = BackgroundGrant(isInBackground: false)
        #expect(grant.begin(1) == [.hold])
        #expect(grant.begin(2) == [])
        #expect(grant.end(1) == [])
        #expect(grant.end(2) == [.release])
    }

    @Test("S0-7 the time begins when the app has gone into the background")
    func timing() {
        var grant = BackgroundGrant(isInBackground: false)
        _ = grant.begin(1)
        #expect(grant.move(toBackground: true) == [.startTimer])
        #expect(grant.begin(2) == [])
        #expect(grant.move(toBackground: false) == [.stopTimer])
        #expect(grant.move(toBackground: true) == [.startTimer])
        #expect(grant.end(1) == [])
        #expect(grant.end(2) == [.stopTimer, .release])
        #expect(grant.move(toBackground: false) == [])
    }

    @Test("S0-7 a load that begins in the background has its time, too")
    func beginning() {
        var grant = BackgroundGrant(isInBackground: true)
        #expect(grant.begin(1) == [.hold, .startTimer])
    }

    @Test("S0-7 when the time is up all loads get notice, and the app is released once")
    func expiry() {
        var grant = BackgroundGrant(isInBackground: true)
        _ = grant.begin(2)
        _ = grant.begin(1)
        #expect(grant.expire() == [.expire([1, 2]), .release])
        #expect(grant.end(1) == [])
        #expect(grant.end(2) == [])
        #expect(grant.expire() == [], "a timer that was late")
    }

    @Test("a repeated begin or end counts once")
    func twice() {
        var grant = BackgroundGrant(isInBackground: false)
        #expect(grant.begin(1) == [.hold])
        #expect(grant.begin(1) == [])
        #expect(grant.end(1) == [.release])
        #expect(grant.end(1) == [])
    }

    @Test(
        "holds and releases, starts and stops come by turns in any order of events",
        arguments: 1...20 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var grant = BackgroundGrant(isInBackground: false)
        var (isHeld, isTimed) = (false, false)
        for _ in 0..<2000 {
            let task = UInt64.random(in: 1...6, using: &random)
            let actions: [BackgroundGrant.Action] =
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2: grant.begin(task)
                case 3...5: grant.end(task)
                case 6: grant.move(toBackground: Bool.random(using: &random))
                default: grant.expire()
                }
            for action in actions {
                switch action {
                case .hold, .release:
                    #expect(isHeld == (action == .release))
                    isHeld.toggle()
                case .startTimer, .stopTimer:
                    #expect(isTimed == (action == .stopTimer))
                    isTimed.toggle()
                case .expire:
                    #expect(isTimed)
                    isTimed = false
                }
            }
            #expect(!isTimed || isHeld, "time counts only while the app is held")
        }
    }
}
