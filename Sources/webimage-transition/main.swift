import CGtk4
import Glibc
import WebImageCommandLine
import WebImageGTK

StandardDescriptors.occupy()
// Messages are the same everywhere, and nothing is said of a locale that this machine does not have.
gtk_disable_setlocale()
// It says that there is no display, which is true and does not matter; without it, drawing ends the process.
gtk_init_check()
// Painting is the main actor's work, and GLib's loop is what serves it.
MainLoopBridge.install()
let loop = g_main_loop_new(nil, 0)
var code = ExitCode.failed
Task { @MainActor in
    code = await Interruption.watch { await TransitionTool(console: Console()).run() }
    g_main_loop_quit(loop)
}
g_main_loop_run(loop)
exit(code.rawValue)
