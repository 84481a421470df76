import Testing

extension Trait where Self == ConditionTrait {
    /// For suites and tests that read the collection of pictures: where it is missing, they are skipped and say why.
    package static var needsCorpus: Self { .enabled(if: Corpus.isPresent, "the corpus is not beside the repository") }
}
