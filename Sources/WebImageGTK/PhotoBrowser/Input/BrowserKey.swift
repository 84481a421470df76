import CGtk4
import WebImage

/// A key with its modifiers.
struct BrowserKey {
    let value: guint
    let isControl: Bool
    /// Whether Alt, Super, Hyper or Meta is held: such shortcuts belong to the window or to the desktop.
    let isForeign: Bool

    /// - Parameter letter: The Latin letter on the same key in another layout. It replaces a letter that is not Latin, so
    ///   that shortcuts work on a Cyrillic keyboard.
    init(_ value: guint, _ state: GdkModifierType, elsewhere letter: @autoclosure () -> guint? = nil) {
        var value = value
        if value.isForeignLetter, let letter = letter() {
            value = state.has(GDK_SHIFT_MASK) ? gdk_keyval_to_upper(letter) : letter
        }
        // With Caps Lock, letters are large ones.
        self.value = state.has(GDK_SHIFT_MASK) ? value : gdk_keyval_to_lower(value)
        isControl = state.has(GDK_CONTROL_MASK)
        isForeign = [GDK_ALT_MASK, GDK_SUPER_MASK, GDK_HYPER_MASK, GDK_META_MASK].contains { state.has($0) }
    }

    /// Whether GTK moves the focus by it.
    var movesFocus: Bool { [GDK_KEY_Tab, GDK_KEY_ISO_Left_Tab, GDK_KEY_KP_Tab].contains(Int32(value)) }

    /// A command of a key.
    enum Command {
        case next, previous, first, last, up, down, left, right
        case zoomIn, zoomOut, zoomToFit, actualSize
        case close, fullScreen, grid, turn, selection, play, controls
        case save, copy, print, menu
    }

    /// nil for keys that mean nothing here.
    ///
    /// - Parameter isRightToLeft: Whether the next photo is on the left.
    func command(isRightToLeft: Bool) -> Command? {
        guard !isForeign else { return nil }
        return isControl ? controlCommand(isRightToLeft) : plainCommand
    }

    private func controlCommand(_ isRightToLeft: Bool) -> Command? {
        switch Int32(value) {
        case GDK_KEY_Right, GDK_KEY_KP_Right: isRightToLeft ? .previous : .next
        case GDK_KEY_Left, GDK_KEY_KP_Left: isRightToLeft ? .next : .previous
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: .zoomIn
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: .zoomOut
        case GDK_KEY_0, GDK_KEY_KP_0: .zoomToFit
        case GDK_KEY_1, GDK_KEY_KP_1: .actualSize
        case GDK_KEY_s: .save
        case GDK_KEY_c: .copy
        case GDK_KEY_p: .print
        case GDK_KEY_r: .turn
        default: nil
        }
    }

    private var plainCommand: Command? {
        switch Int32(value) {
        case GDK_KEY_Right, GDK_KEY_KP_Right: .right
        case GDK_KEY_Left, GDK_KEY_KP_Left: .left
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: .next
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, GDK_KEY_BackSpace: .previous
        case GDK_KEY_Home, GDK_KEY_KP_Home: .first
        case GDK_KEY_End, GDK_KEY_KP_End: .last
        case GDK_KEY_Up, GDK_KEY_KP_Up: .up
        case GDK_KEY_Down, GDK_KEY_KP_Down: .down
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: .zoomIn
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: .zoomOut
        case GDK_KEY_0, GDK_KEY_KP_0: .zoomToFit
        case GDK_KEY_1, GDK_KEY_KP_1: .actualSize
        case GDK_KEY_Escape: .close
        case GDK_KEY_F11, GDK_KEY_f: .fullScreen
        case GDK_KEY_g: .grid
        case GDK_KEY_r: .turn
        case GDK_KEY_s: .selection
        case GDK_KEY_space: .play
        case GDK_KEY_c: .controls
        case GDK_KEY_Menu: .menu
        default: nil
        }
    }
}

extension BrowserInput {
    /// - Returns: Whether the key meant something.
    func press(_ key: BrowserKey) -> Bool {
        // The focus cannot go to controls that are hidden.
        if key.movesFocus, !key.isForeign { browser.showControls() }
        guard let command = key.command(isRightToLeft: deck.isRightToLeft) else { return false }
        if browser.isGridVisible { return pressInGrid(command) }
        // There is nothing to go back from.
        if command == .close, !browser.screen.isTaken, !browser.hasFilledScreen { return false }
        guard command == .close || !isHeld else { return true }
        perform(command)
        return true
    }

    /// The grid has its own keys for moving.
    private func pressInGrid(_ command: BrowserKey.Command) -> Bool {
        switch command {
        case .close: browser.hasFilledScreen ? browser.screen.fullScreen.leave() : browser.perform(.close)
        case .fullScreen: browser.perform(.toggleFullScreen)
        case .grid: browser.hideGrid()
        default: return false
        }
        return true
    }

    private func perform(_ command: BrowserKey.Command) {
        switch command {
        case .next: browser.showNextPhoto(animated: true)
        case .previous: browser.showPreviousPhoto(animated: true)
        case .first: browser.turn(to: 0, animated: false)
        case .last: browser.turn(to: browser.numberOfPhotos - 1, animated: false)
        case .up: move(byY: 60)
        case .down: move(byY: -60)
        case .left: moveOrTurn(byX: 60, deck.isRightToLeft ? .next : .previous)
        case .right: moveOrTurn(byX: -60, deck.isRightToLeft ? .previous : .next)
        case .zoomIn: zoom(by: 1.25)
        case .zoomOut: zoom(by: 0.8)
        case .zoomToFit: setScale { $0.limits.minimum }
        case .actualSize: setScale { _ in 1 }
        case .close: browser.hasFilledScreen ? browser.screen.fullScreen.leave() : browser.finish()
        case .fullScreen: browser.perform(.toggleFullScreen)
        case .grid: if browser.hasGrid { browser.showGrid() }
        case .turn: browser.perform(.turn)
        case .selection: if browser.displaySelectionButtons { browser.perform(.toggleSelection) }
        case .play:
            browser.currentPhoto?.isVideo == true ? browser.pages.toggleVideo() : browser.showNextPhoto(animated: true)
        case .controls: browser.toggleControls()
        case .save: browser.saveCurrentPhoto()
        case .copy: browser.copyCurrentPhoto()
        case .print: browser.printCurrentPhoto()
        case .menu: browser.perform(.action)
        }
    }

    private func move(byY y: Double) {
        if let page = deck.current, page.zoom.overflowsDown { move(page, byX: 0, y: y) }
    }

    /// Moves a zoomed picture as far as it goes, and then turns the page.
    private func moveOrTurn(byX x: Double, _ turn: BrowserKey.Command) {
        guard let page = deck.current, page.zoom.isZoomed, page.zoom.canMove(byX: x) else { return perform(turn) }
        move(page, byX: x, y: 0)
    }

    private func move(_ page: PhotoPage, byX x: Double, y: Double) {
        var goal = page.zoom
        goal.pan(byX: x, y: y)
        animateZoom(to: goal, duration: 0.1)
    }

    private func setScale(_ scale: (PhotoZoom) -> Double) {
        guard let page = deck.current, page.hasPicture else { return }
        var goal = page.zoom
        goal.zoom(to: scale(goal), atX: zoomPoint.x, y: zoomPoint.y)
        animateZoom(to: goal)
    }
}

extension GdkModifierType {
    fileprivate func has(_ other: GdkModifierType) -> Bool { rawValue & other.rawValue != 0 }
}

extension guint {
    /// Key values up to 255 are those of Latin-1, and those from 0xFD00 to 0xFFFF are keys that type nothing.
    fileprivate var isForeignLetter: Bool { self > 0xFF && !(0xFD00...0xFFFF).contains(self) }
}
