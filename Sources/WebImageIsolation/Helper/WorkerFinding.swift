/// The helper's own observation of a worker that has ended. A worker may end with any status, and so tell any reason.
package enum WorkerFinding: UInt8, Sendable {
    /// It had more threads than a decoder of its kind has, and was killed.
    case tooManyThreads = 1
    /// The system had no thread for it, and its kind cannot do without.
    case noThread
    /// The file of a font could not be opened for it.
    case fontMissing
    /// It has asked for more files than the fonts of a document are, and got no more.
    case tooManyFiles
}
