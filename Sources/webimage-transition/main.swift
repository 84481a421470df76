import CGtk4
import Glibc
import WebImageCommandLine
import WebImageGTK

StandardDescriptors.occupy()
ProcessLimits.check()
StandardDescriptors.silenceLibraries()
// Messages do not depend on the locale, and GTK must not warn about one that this machine lacks.
gtk_disable_setlocale()
// Returns false without a display, which does not matter here; without the call, drawing crashes.
gtk_init_check()
// Drawing needs the main actor, which only GLib's loop serves.
MainLoopBridge.install()
let loop = g_main_loop_new(nil, 0)
var code = ExitCode.failed
Task { @MainActor in
    code = await Interruption.watch { await TransitionTool(console: Console()).run() }
    g_main_loop_quit(loop)
}
g_main_loop_run(loop)
exit(code.rawValue)
