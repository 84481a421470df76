/// What all processes that use an index know of it at once, in a page that they share: reading it takes no system call.
struct IndexState: Sendable {
    private enum Field: Int {
        case signature, version, epoch, changeCount, begun, ended, damage
    }

    /// "WImgStat"
    private static let signature: UInt64 = 0x7461_7453_676d_4957
    static let version: UInt64 = 1

    enum Validity {
        /// Nobody has written it yet, or what it says makes no sense.
        case invalid
        case valid
        /// A later version of the library has made it, and understands what is there better.
        case newer
    }

    private let page: SharedPage

    init(_ page: SharedPage) { self.page = page }

    var validity: Validity {
        guard self[.signature] == Self.signature, self[.version] != 0 else { return .invalid }
        return self[.version] > Self.version ? .newer : self[.version] == Self.version ? .valid : .invalid
    }

    /// Begins anew, with everything to be found out.
    func initialize(epoch: UInt64) {
        self[.signature] = 0
        self[.epoch] = epoch
        self[.changeCount] = 0
        forgetUnfinished()
        self[.damage] = 1
        self[.version] = Self.version
        self[.signature] = Self.signature
    }

    /// The number of the journal that changes go to.
    var epoch: UInt64 {
        get { self[.epoch] }
        nonmutating set { self[.epoch] = newValue }
    }

    /// Grows with each change that anybody appended: when it stands still, there is nothing to read.
    var changeCount: UInt64 { self[.changeCount] }

    /// - Returns: The new count.
    func addChanges(_ count: Int) -> UInt64 { page.add(UInt64(count), at: Field.changeCount.rawValue) }

    /// Between these two, files and journal need not agree: whoever ends in between leaves it to be found out.
    func begin() { page.add(1, at: Field.begun.rawValue) }
    func end() { page.add(1, at: Field.ended.rawValue) }

    /// Whether some change has begun and not ended: by somebody who is at it, or who died over it.
    var hasUnfinished: Bool { self[.begun] != self[.ended] }

    func forgetUnfinished() {
        self[.begun] = 0
        self[.ended] = 0
    }

    /// How often something was found that only a look at all files can mend; 0 when all is well.
    var damage: UInt64 { self[.damage] }

    func noteDamage() { page.add(1, at: Field.damage.rawValue) }

    /// All damage up to `damage` is mended.
    func mended(_ damage: UInt64) {
        if self[.damage] == damage { self[.damage] = 0 }
    }

    private subscript(field: Field) -> UInt64 {
        get { page.load(field.rawValue) }
        nonmutating set { page.store(newValue, at: field.rawValue) }
    }
}
