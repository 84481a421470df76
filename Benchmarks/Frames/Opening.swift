import CGtk4
import CScreen
import Glibc

/// The time from the start of a program until its window shows a picture, which is known by a red patch in it.
enum Opening {
    static let usage = "opening TURNS FILE PROGRAM PROGRAM"

    /// Prints the medians of two programs in milliseconds, which take turns.
    ///
    /// - Returns: false for other arguments.
    static func run(_ arguments: [String]) -> Bool {
        guard arguments.count == 4, let turns = Int(arguments[0]), turns > 0 else { return false }
        var times: [[Double]] = [[], []]
        // The first turn brings files and libraries into memory.
        for turn in 0...turns {
            for (number, program) in arguments[2...].enumerated() {
                guard let time = milliseconds(of: program, opening: arguments[1]) else { return false }
                if turn > 0 { times[number].append(time) }
            }
        }
        print("opening \(median(times[0])) \(median(times[1]))")
        return true
    }

    private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    /// Pixels of the patch that are certain to be the picture.
    private static let enough = 1000
    private static let patience = Duration.seconds(60)

    /// nil where it cannot be started, or shows nothing.
    private static func milliseconds(of program: String, opening file: String) -> Double? {
        let start = ContinuousClock.now
        guard let child = launch(program, file) else { return nil }
        defer { end(child) }
        while ContinuousClock.now - start < patience {
            if webimage_count_red(gdk_display_get_default()) >= enough {
                return (ContinuousClock.now - start) / .milliseconds(1)
            }
            g_usleep(2000)
        }
        return nil
    }

    private static func launch(_ program: String, _ file: String) -> OpaquePointer? {
        let arguments: [String] = [program, file]
        let words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        let flags = GSubprocessFlags(
            rawValue: G_SUBPROCESS_FLAGS_STDOUT_SILENCE.rawValue | G_SUBPROCESS_FLAGS_STDERR_SILENCE.rawValue)
        return g_subprocess_newv(words.map { UnsafePointer($0) } + [nil], flags, nil)
    }

    private static func end(_ child: OpaquePointer) {
        g_subprocess_send_signal(child, SIGTERM)
        g_subprocess_wait(child, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(child))
        while webimage_count_red(gdk_display_get_default()) >= enough { g_usleep(2000) }
    }
}
