import Glibc
import WebImageCore

/// Why the app ends a worker, or finds that it has ended.
enum WorkerEndReason: Equatable {
    case cancelled
    case tookTooLong(ImageLimits)
    /// Its connection is closed, which the kernel does a moment before the end of the process, and nobody else.
    case closed
    /// It does what no decoder does.
    case lied
}

/// The meaning of a worker's status, if the helper's own finding agrees where that would be an error for now (`WorkerFinding`).
package enum WorkerStatus {
    /// It could not be locked in as the helper had said.
    package static let notLockedIn = 77 as Int32
    /// The file of a font could not be read.
    package static let fontMissing = 78 as Int32
    /// It got no memory (`CAllocation`).
    package static let memoryRefused = 79 as Int32
    /// The system had no thread or process for it: also of the helper, before it is ready.
    package static let threadRefused = 80 as Int32
    /// Of the helper: libraries keep threads, so that it cannot be forked.
    package static let threadsStay = 81 as Int32
}

extension WorkerEndReason {
    /// - Parameter time: The processor's time that the worker has used.
    func error(after ending: WorkerEnding, using time: Duration, limits: ImageLimits) -> WebImageError {
        switch self {
        case .cancelled: .cancelled()
        case .tookTooLong(let limits): .tookTooLong(limits)
        case .lied: .crashedDecoder("has answered what no decoder answers")
        case .closed: ending.error(using: time, limits: limits)
        }
    }
}

extension WorkerEnding {
    fileprivate func error(using time: Duration, limits: ImageLimits) -> WebImageError {
        switch self {
        case .lost: .lostDecoder
        case .found(.tooManyThreads): .tooManyThreads
        case .found(.fontMissing): .fontlessDecoder
        case .found(.tooManyFiles): .tooManyFiles
        case .found(.noThread): .threadlessDecoder
        case .exit(WorkerStatus.notLockedIn): .freeDecoder
        case .exit(WorkerStatus.memoryRefused): .tookTooMuchMemory(limits)
        case .exit(let status): .crashedDecoder("has ended without an answer (exit \(status))")
        case .signal(SIGXCPU): .tookTooLong(limits)
        case .signal(SIGKILL):
            .seconds(limits.workerAllowance.processorSeconds) <= time + .seconds(1)
                ? .tookTooLong(limits) : .killedDecoder
        case .signal(let number): .crashedDecoder("has crashed (\(Self.name(of: number)))")
        }
    }

    private static func name(of signal: Int32) -> String {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGABRT: "SIGABRT"
        case SIGBUS: "SIGBUS"
        case SIGILL: "SIGILL"
        case SIGFPE: "SIGFPE"
        case SIGTRAP: "SIGTRAP"
        case SIGSYS: "SIGSYS: it has tried what decoders may not do"
        default: "signal \(signal)"
        }
    }
}

extension WebImageError {
    fileprivate static func crashedDecoder(_ finding: String) -> WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .permanent,
            reason: "the picture's decoder, a process of its own, \(finding)")
    }

    static func tookTooMuchMemory(_ limits: ImageLimits) -> WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "decoding takes more than \(limits.maximumDecodeMemory) bytes of memory; ask for a thumbnail or "
                + "raise ImageLimits.maximumDecodeMemory")
    }

    fileprivate static var tooManyThreads: WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason:
                "the picture's decoder, a process of its own, has started more threads than decoders of its format have"
        )
    }

    fileprivate static var killedDecoder: WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason: "the picture's decoder, a process of its own, was killed: the system has no memory left; "
                + "ask for a thumbnail")
    }

    static var lostDecoder: WebImageError {
        var error = WebImageError(
            .badImageData, stage: .decode, kind: .transient,
            reason: "the program that pictures are decoded by has ended; try again")
        error.mayBeOfAnotherPicture = true
        return error
    }

    fileprivate static var tooManyFiles: WebImageError {
        WebImageError(
            .limitExceeded, stage: .decode, kind: .policy,
            reason:
                "the picture's decoder, a process of its own, has asked for fonts more often than decoders of documents do"
        )
    }

    fileprivate static var fontlessDecoder: WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .transient,
            reason: "a font of the picture cannot be read, and without it the text would be another one")
    }

    fileprivate static var threadlessDecoder: WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .transient,
            reason: "the system has no thread for the picture's decoder, a process of its own")
    }

    fileprivate static var freeDecoder: WebImageError {
        WebImageError(
            .badImageData, stage: .decode, kind: .policy,
            reason: "the picture's decoder could not be locked in as the settings require")
    }
}
