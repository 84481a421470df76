/// Runs Swift's tasks as steps of a schedule.
final class StepExecutor: TaskExecutor {
    private let schedule: any Schedule

    init(_ schedule: any Schedule) { self.schedule = schedule }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        schedule.add(.anywhere, "a task goes on") { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
