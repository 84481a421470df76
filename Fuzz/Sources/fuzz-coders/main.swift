import CFuzzer
import Foundation

// The environment selects the coder, because the arguments are the fuzzer's.
let name = ProcessInfo.processInfo.environment["CODER"] ?? ""
guard FuzzedCoder.named(name) != nil else {
    print("fuzz: CODER is \"\(name)\"; it must be one of \(FuzzedCoder.names.joined(separator: ", "))")
    exit(2)
}
FuzzedCoder.current = FuzzedCoder.named(name)
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        FuzzedCoder.current?.run(bytes.map { Data(bytes: $0, count: count) } ?? Data())
        return 0
    })
