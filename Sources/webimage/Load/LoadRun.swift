import FoundationEssentials
import Synchronization
import WebImage
import WebImageCommandLine

/// One run of `webimage load`: loads every address once, writes each picture as often as requested, and reports.
struct LoadRun: Sendable {
    let command: LoadCommand
    let console: Console
    let pipeline: LoadPipeline
    private let encoding: OutputEncoding
    private let names: OutputNames
    private let progress: ProgressBoard?
    /// Encoding and writing take long and must not block the threads of Swift's tasks.
    private let outputs = JobQueue(label: "webimage.outputs", limit: ProcessorCount.current)

    init(command: LoadCommand, console: Console, pipeline: LoadPipeline) {
        self.command = command
        self.console = console
        self.pipeline = pipeline
        encoding = OutputEncoding(command)
        // An operand that is no URL fails before its name is used.
        let urls = command.operands.map { (try? $0.url.get()) ?? URL(filePath: "/") }
        names = OutputNames(urls: urls, format: command.format)
        progress = console.showsProgress && !command.report.isQuiet ? ProgressBoard() : nil
    }

    func run() async -> ExitCode {
        var isDone = true
        let drawing = progress.map { board in Task { await board.draw(on: console) } }
        await jobs.forEachConcurrently(limit: command.concurrency ?? 6) { job in
            await perform(job)
        } receive: { _, succeeded in
            isDone = isDone && succeeded
        }
        drawing?.cancel()
        await drawing?.value
        pipeline.finish()
        return isDone && !console.hasLostOutput ? .done : .failed
    }

    /// One address, and its positions in the command line.
    private struct Job: Sendable {
        let url: Result<URL, WebImageError>
        var indices: [Int]
    }

    private var jobs: [Job] {
        var jobs: [Job] = []
        var numbers: [URL: Int] = [:]
        for (index, operand) in command.operands.enumerated() {
            if let url = try? operand.url.get() {
                if let number = numbers[url] {
                    jobs[number].indices.append(index)
                    continue
                }
                numbers[url] = jobs.count
            }
            jobs.append(Job(url: operand.url, indices: [index]))
        }
        return jobs
    }

    /// Whether everything succeeded.
    private func perform(_ job: Job) async -> Bool {
        let clock = ContinuousClock()
        var start = clock.now
        let result = await load(job)
        var succeeded = true
        for (repetition, index) in job.indices.enumerated() {
            var record = LoadRecord(command.operands[index])
            do throws(WebImageError) {
                let result = try result.get()
                record.take(result, isRepetition: repetition > 0)
                record.output = try await output(result, at: index)
            } catch {
                // A cancellation needs no error message.
                if error.isCancelled { return false }
                record.error = ErrorRecord(error)
                succeeded = false
            }
            record.milliseconds = start.duration(to: clock.now).milliseconds
            start = clock.now
            tell(record, command.operands[index])
        }
        return succeeded
    }

    private func load(_ job: Job) async -> Result<LoadResult, WebImageError> {
        let bar = job.indices.first.flatMap { progress?.add(command.operands[$0].shortName) }
        defer { bar?.remove() }
        var report: (@Sendable (LoadProgress) -> Void)?
        if let bar { report = { bar.update($0) } }
        do throws(WebImageError) {
            let url = try job.url.get()
            return .success(try await pipeline.load(url, progress: report))
        } catch {
            return .failure(error)
        }
    }

    private func output(_ result: LoadResult, at index: Int) async throws(WebImageError) -> String? {
        if command.target == .none { return nil }
        if Task.isCancelled { throw .cancelled() }
        return try await withCheckedContinuation { continuation in
            outputs.submit {
                continuation.resume(returning: Result { () throws(WebImageError) in try write(result, at: index) })
            }
        }.get()
    }

    /// Writes the picture to the requested file; returns its name.
    private func write(_ result: LoadResult, at index: Int) throws(WebImageError) -> String? {
        let (data, format) = try encoding.encode(result, by: pipeline.coder)
        switch command.target {
        case .none: return nil
        case .standardOutput:
            try console.writeToOutput(data)
            return "-"
        case .file(let path):
            try OutputFile(path: path).write(data)
            return path
        case .directory(let directory):
            let path = "\(directory)\(directory.hasSuffix("/") ? "" : "/")\(names.name(at: index, format: format))"
            try OutputFile(path: path).write(data)
            return path
        }
    }

    private func tell(_ record: LoadRecord, _ operand: Operand) {
        if let error = record.error { console.printError("\(operand.name): \(error.message)") }
        let line: String
        if command.report.isJSON {
            line = JSON.line(record)
        } else if record.error == nil, !command.report.isQuiet {
            line = record.line(name: operand.name)
        } else {
            return
        }
        if command.target == .standardOutput { console.printLineBesideOutput(line) } else { console.printLine(line) }
    }
}
