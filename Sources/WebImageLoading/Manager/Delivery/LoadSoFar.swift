import WebImageCore

/// The current state, for a load that joins.
struct LoadSoFar {
    let stage: LoadTrace.Stage?
    let progress: LoadProgress?
    let part: Image?
}
