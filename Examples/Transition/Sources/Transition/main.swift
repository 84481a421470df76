import Foundation
import WebImage

// Draws a transition of its own as text, from the former content (.) to the new one (#). Ends with 1 where a place is empty
// or shows the wrong content.

/// A view of characters, one for each point.
final class TextView {
    var imageTransition: WebImageTransition<TextView>?
    let scene = TransitionScene(size: PointSize(width: 40, height: 3))

    /// The characters at a progress of the time, from 0 to 1.
    func frame(at time: Double) -> String? {
        guard let transition = imageTransition, let effect = transition.effect else { return nil }
        var rows = [[Character]](repeating: Array(repeating: " ", count: 40), count: 3)
        for layer in effect.layers(at: transition.timingFunction.value(at: time), in: scene) {
            let (left, top) = (max(0, Int(layer.frame.x)), max(0, Int(layer.frame.y)))
            let right = min(40, Int(layer.frame.x + layer.frame.size.width))
            let bottom = min(3, Int(layer.frame.y + layer.frame.size.height))
            guard left < right, top < bottom else { continue }
            for y in top..<bottom {
                for x in left..<right { rows[y][x] = layer.content == .new ? "#" : "." }
            }
        }
        return rows.map { String($0) }.joined(separator: "\n")
    }
}

let view = TextView()
view.imageTransition = .custom(.curtain, duration: .seconds(0.7))
let frames = (0...4).compactMap { view.frame(at: Double($0) / 4) }
print(frames.joined(separator: "\n\n"))
guard frames.count == 5, !frames[0].contains("#"), !frames[4].contains("."),
    !frames.contains(where: { $0.contains(" ") }),
    frames[2].contains("#"), frames[2].contains(".")
else {
    print("transition: a frame is not as it should be")
    exit(1)
}
