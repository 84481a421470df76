import Glibc
import WebImageTesting

// usage: webimage-hammer DIRECTORY SEED OPERATIONS
// Writes a byte to standard output after each operation, and exits with 1 when it reads bytes that were never stored.

let arguments = CommandLine.arguments
guard arguments.count == 4, let seed = UInt64(arguments[2]), let operations = Int(arguments[3]) else { exit(2) }

var hammer = CacheHammer(directory: arguments[1], seed: seed)
do {
    try hammer.run(operations: operations) { _ = write(STDOUT_FILENO, "+", 1) }
} catch {
    exit(1)
}
