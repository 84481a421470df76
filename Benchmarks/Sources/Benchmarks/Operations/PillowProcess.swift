import FoundationEssentials
import Glibc
import WebImage

/// The process that performs Pillow's operations, on the same pixels and in turns with the others.
final class PillowProcess {
    /// The time of an operation, in seconds.
    struct Cost {
        let elapsed: Double
        let processor: Double
        let size: PixelSize
    }

    private let directory = TemporaryDirectory()
    private let questions: UnsafeMutablePointer<FILE>
    private let answers: UnsafeMutablePointer<FILE>
    private var child: pid_t = 0

    init(_ picture: Bitmap) throws {
        let path = directory.path + "/pixels"
        try picture.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
        var (input, output): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&input) == 0, pipe(&output) == 0, let questions = fdopen(input[1], "w"),
            let answers = fdopen(output[0], "r")
        else { throw BenchmarkError("no pipe for Pillow") }
        self.questions = questions
        self.answers = answers
        for descriptor in [input[1], output[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        try start([path, "\(picture.size.width)", "\(picture.size.height)"], input: input[0], output: output[1])
        close(input[0])
        close(output[1])
        _ = try answer()
    }

    deinit {
        fclose(questions)
        fclose(answers)
        var status: CInt = 0
        if child != 0 { waitpid(child, &status, 0) }
    }

    func run(_ operation: String) throws -> Cost { try ask(operation) }

    /// The bytes of the result.
    func result(of operation: String) throws -> (bytes: Data, size: PixelSize) {
        let path = directory.path + "/result"
        let cost = try ask("\(operation) \(path)")
        return (try Data(contentsOf: URL(filePath: path)), cost.size)
    }

    private func ask(_ question: String) throws -> Cost {
        fputs("\(question)\n", questions)
        fflush(questions)
        let numbers = try answer().split(separator: " ")
        guard numbers.count == 4, let elapsed = Double(numbers[0]), let processor = Double(numbers[1]),
            let width = Int(numbers[2]), let height = Int(numbers[3])
        else { throw BenchmarkError("Pillow says nothing about \(question)") }
        return Cost(elapsed: elapsed, processor: processor, size: PixelSize(width: width, height: height))
    }

    private func answer() throws -> String {
        var buffer = [CChar](repeating: 0, count: 1000)
        guard fgets(&buffer, Int32(buffer.count), answers) != nil else {
            throw BenchmarkError("Pillow cannot be started; run scripts/bootstrap --with-benchmarks")
        }
        let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func start(_ arguments: [String], input: Int32, output: Int32) throws {
        var words = (["./pillow-operations"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        guard posix_spawn(&child, "./pillow-operations", &actions, nil, &words, environ) == 0 else {
            throw BenchmarkError("pillow-operations cannot be started from here; use scripts/bench")
        }
    }
}
