import Testing

@testable import WebImageCache

@Suite("Read-mostly mutex", .timeLimit(.minutes(5)))
struct ReadMostlyMutexTests {
    private struct Pair: ~Copyable {
        var first = 0
        var second = 0
    }

    @Test("no reader sees a change half done, and no change and no count is lost")
    func exclusion() async {
        let mutex = ReadMostlyMutex(Pair(), tally: 0)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for step in 0..<20_000 {
                        if step.isMultiple(of: 10) {
                            mutex.write { pair in
                                pair.first += 1
                                pair.second += 1
                            }
                        } else {
                            let isWhole = mutex.read { pair, reads in
                                reads += 1
                                return pair.first == pair.second
                            }
                            #expect(isWhole)
                        }
                    }
                }
            }
        }
        #expect(mutex.read { pair, _ in pair.first } == 8000)
        #expect(mutex.tallies.reduce(0, +) == 72_000)
    }
}
