import FoundationEssentials
import WebImageCore

/// A load that has its plan and has not begun: the interceptors and memory were asked.
///
/// It begins at once, or waits in its handle until its turn comes; one that was taken back begins anew from here.
package struct PlannedLoad: Sendable {
    /// The way to the picture. Large values are boxed: most loads have none.
    enum Way: Sendable {
        /// By the stages of this plan.
        case stages(LoadPlan)
        /// An interceptor, or a refusal, has ended the load.
        case answered(LoadEnding)
        /// By the function of an interceptor, and the interceptors after it.
        indirect case takenOver(InterceptedLoad.Body, rest: ArraySlice<any LoadInterceptor>)
        indirect case previewed(PreviewedRequest)
        case alternatives(AlternativeSources)
    }

    /// The answer of memory for a load by stages.
    enum Memory: Sendable {
        case notAsked
        case missed
        case hit(Image)
    }

    /// The request as the interceptors have left it.
    var request: ImageRequest
    let settings: LoadSettings
    package internal(set) var callbacks: LoadCallbacks
    var way: Way
    var memory = Memory.notAsked
    /// An equal load that is under way, whose plan this is.
    var equal: SharedLoad?

    /// The load after a wait: memory is asked anew, and its picture was not retained meanwhile.
    package var afterWait: PlannedLoad {
        var copy = self
        (copy.memory, copy.equal) = (.notAsked, nil)
        return copy
    }
}
