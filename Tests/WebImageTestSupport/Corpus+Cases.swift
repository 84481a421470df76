import FoundationEssentials
import Testing

extension Corpus {
    /// The bytes of one of the real files that once came out wrong, which lie beside the corpus; empty when it is not there.
    package static func caseData(_ name: String) -> Data { data(at: "../cases/files/\(name)") }
}

extension Trait where Self == ConditionTrait {
    /// For tests that read a real file that once came out wrong: where it is missing, they are skipped and say why.
    package static func needsCase(_ name: String) -> Self {
        .enabled(if: !Corpus.caseData(name).isEmpty, "\(name) is not beside the repository")
    }
}
