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
    /// Encoding and writing take long and must not block the threads of Swift's tasks.
    private let outputs = JobQueue(label: "webimage.outputs", limit: ProcessorCount.current)

    init(command: LoadCommand, console: Console, pipeline: LoadPipeline) {
        self.command = command
        self.console = console
        self.pipeline = pipeline
        encoding = OutputEncoding(command)
        // An operand that is no URL fails before its name is used.
        let urls = command.operands.lazy.map { (try? $0.url.get()) ?? URL(filePath: "/") }
        if case .directory = command.target {
            names = OutputNames(urls: urls, format: command.format)
        } else {
            names = OutputNames(urls: [], format: command.format)
        }
    }

    func run() async -> ExitCode {
        let isDone = await ProgressBoard.shown(on: console, isQuiet: command.report.isQuiet) { board in
            var isDone = true
            await jobs.forEachConcurrently(limit: command.concurrency ?? 6) { job in
                await perform(job, board)
            } receive: { _, succeeded in
                isDone = isDone && succeeded
            }
            return isDone
        }
        pipeline.finish()
        return isDone && !console.hasLostOutput ? .done : .failed
    }

    /// One address, by its positions in the command line.
    private struct Job: Sendable {
        let first: Int
        var repetitions: [Int] = []

        var indices: [Int] { [first] + repetitions }
    }

    private var jobs: [Job] {
        var jobs: [Job] = []
        // Addresses themselves would take several times as much.
        var numbers: [KeyFingerprint: Int] = [:]
        for (index, operand) in command.operands.enumerated() {
            if let url = try? operand.pictureURL.get() {
                let address = KeyFingerprint(url.absoluteString)
                if let number = numbers[address] {
                    jobs[number].repetitions.append(index)
                    continue
                }
                numbers[address] = jobs.count
            }
            jobs.append(Job(first: index))
        }
        return jobs
    }

    /// Whether everything succeeded.
    private func perform(_ job: Job, _ board: ProgressBoard?) async -> Bool {
        let wanted = job.indices.filter { !tellKept(at: $0) }
        guard let first = wanted.first else { return true }
        let bar = board?.add(command.operands[first].shortName)
        defer { bar?.remove() }
        let clock = ContinuousClock()
        var start = clock.now
        let picture = await load(job, bar)
        var succeeded = true
        for (repetition, index) in wanted.enumerated() {
            var record = LoadRecord(command.operands[index])
            do throws(WebImageError) {
                let picture = try picture.get()
                record.take(
                    picture, size: command.editing.sizeBefore(picture.result.image), isRepetition: repetition > 0,
                    followsServer: command.loading.followsServer)
                if let output = try await output(picture.result, at: index, bar) { record.take(output) }
            } catch {
                // A cancellation needs no error message.
                if error.isCancelled { return false }
                record.take(error, isRepetition: repetition > 0)
                succeeded = false
            }
            record.milliseconds = start.duration(to: clock.now).milliseconds
            start = clock.now
            tell(record, command.operands[index])
        }
        return succeeded
    }

    /// Reports a picture whose output exists and is kept, so that it need not be loaded.
    private func tellKept(at index: Int) -> Bool {
        guard let path = path(of: names.expectedName(at: index)), file(path).isKept else { return false }
        var record = LoadRecord(command.operands[index])
        record.take(LoadOutput(path: path, byteCount: nil))
        tell(record, command.operands[index])
        return true
    }

    private func load(_ job: Job, _ bar: ProgressBoard.Entry?) async -> Result<LoadedPicture, WebImageError> {
        var report: (@Sendable (LoadProgress) -> Void)?
        if let bar { report = { bar.update($0) } }
        do throws(WebImageError) {
            let url = try command.operands[job.first].pictureURL.get()
            return .success(try await pipeline.load(url, progress: report))
        } catch {
            return .failure(error)
        }
    }

    private func output(
        _ result: LoadResult, at index: Int, _ bar: ProgressBoard.Entry?
    ) async throws(WebImageError) -> LoadOutput? {
        if command.target == .none { return nil }
        if Task.isCancelled { throw .cancelled() }
        return try await LongWork.run(on: outputs) { cancellation throws(WebImageError) in
            bar?.begin("writing")
            return try write(result, at: index, until: cancellation)
        }
    }

    private func write(
        _ result: LoadResult, at index: Int, until cancellation: CancellationFlag
    ) throws(WebImageError) -> LoadOutput? {
        let (data, format) = try encoding.encode(result, by: pipeline.coder, until: cancellation)
        if command.target == .standardOutput {
            try console.writeToOutput(data)
            return LoadOutput(path: "-", byteCount: data.count)
        }
        guard let path = path(of: names.name(at: index, format: format)) else { return nil }
        let isWritten = try file(path).write(data)
        return LoadOutput(path: path, byteCount: isWritten ? data.count : nil)
    }

    /// The path of the output; nil where it is no file.
    ///
    /// - Parameter name: Its name in a directory.
    private func path(of name: @autoclosure () -> String) -> String? {
        switch command.target {
        case .none, .standardOutput: nil
        case .file(let path): path
        case .directory(let directory): "\(directory)\(directory.hasSuffix("/") ? "" : "/")\(name())"
        }
    }

    private func file(_ path: String) -> OutputFile { OutputFile(path: path, rules: command.rules) }

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
