import Testing
import WebImagePresentation

@Suite struct FrameBudgetTests {
    @Test("work goes on until the frame's share is spent, and then waits for the next frame")
    func share() {
        var budget = FrameBudget(frame: 100, share: 30)
        #expect(budget.delay(at: 1000) == 0)
        budget.charge(20)
        #expect(budget.delay(at: 1020) == 0)
        budget.charge(20)
        #expect(budget.delay(at: 1040) == 60)
        #expect(budget.delay(at: 1099) == 1)
        #expect(budget.delay(at: 1100) == 0)
    }

    @Test("one job that takes longer than a frame is not punished twice")
    func longJob() {
        var budget = FrameBudget(frame: 100, share: 30)
        #expect(budget.delay(at: 1000) == 0)
        budget.charge(500)
        #expect(budget.delay(at: 1500) == 0)
    }
}
