import FoundationEssentials

extension IndexState {
    /// The first 64 bytes of the file.
    struct Header: BitwiseCopyable {
        /// "WImgStat"
        static let signature: UInt64 = 0x7461_7453_676d_4957

        let signature: UInt64
        let version: UInt64
        /// The number of the journal that changes go to.
        var epoch: UInt64
        /// Tells one index from another that was begun in its place.
        let incarnation: UInt64
        /// How much damage was mended.
        var mended: UInt64 = 0
        /// Not 0 where a look at the files has seen some that somebody may have been about to write.
        var hasLeftOvers: UInt64 = 0
        /// How many seats were ever taken.
        var seatCount: UInt64 = 0
        private let reserved: UInt64 = 0

        /// Begins anew, with everything to be found out.
        init(epoch: UInt64) {
            (signature, version) = (Self.signature, IndexState.version)
            self.epoch = epoch
            incarnation = .random(in: 1 ... .max)
            // One less than any damage so far, which is none.
            mended = .max
        }

        /// Traps where there are fewer bytes.
        init(_ bytes: RawSpan) {
            signature = bytes.integer(at: 0, as: UInt64.self)
            version = bytes.integer(at: 8, as: UInt64.self)
            epoch = bytes.integer(at: 16, as: UInt64.self)
            incarnation = bytes.integer(at: 24, as: UInt64.self)
            mended = bytes.integer(at: 32, as: UInt64.self)
            hasLeftOvers = bytes.integer(at: 40, as: UInt64.self)
            seatCount = bytes.integer(at: 48, as: UInt64.self)
        }

        var data: Data { withUnsafeBytes(of: self) { Data($0) } }

        func isSameIndex(as other: Header) -> Bool {
            signature == other.signature && version == other.version && incarnation == other.incarnation
        }
    }

    /// One user's 32 bytes.
    struct Seat: BitwiseCopyable {
        static let size = 32

        /// How many changes it has begun and not ended.
        var unfinished: UInt32 = 0
        /// Not 0 while it has ended changes of which the others were told nothing yet, or perhaps not the truth.
        var debt: UInt32 = 0
        /// How many it has appended to journals.
        var changeCount: UInt64 = 0
        /// How often it has found something that only a look at all files can mend.
        var damage: UInt64 = 0
        /// How many records the journal had at least when it last appended, and to which of them that was.
        private var journalEnd: UInt64 = 0

        /// Traps where there are fewer bytes.
        init(_ bytes: RawSpan) {
            unfinished = bytes.integer(at: 0, as: UInt32.self)
            debt = bytes.integer(at: 4, as: UInt32.self)
            changeCount = bytes.integer(at: 8, as: UInt64.self)
            damage = bytes.integer(at: 16, as: UInt64.self)
            journalEnd = bytes.integer(at: 24, as: UInt64.self)
        }

        var data: Data { withUnsafeBytes(of: self) { Data($0) } }

        private static let countBits: UInt64 = 40

        mutating func note(journalCount: Int, of epoch: UInt64) {
            journalEnd = epoch << Self.countBits | UInt64(journalCount) & (1 << Self.countBits - 1)
        }

        /// How many records a journal has at least; 0 where the last change went to another one.
        func journalCount(of epoch: UInt64) -> Int {
            guard journalEnd >> Self.countBits == (epoch << Self.countBits) >> Self.countBits else { return 0 }
            return Int(journalEnd & (1 << Self.countBits - 1))
        }

        /// Whether the death of its owner would leave something that only a look at all files can mend.
        var isUnsettled: Bool { unfinished > 0 || debt > 0 }

        /// Whether others have to know. Several changes at once are as unfinished as one.
        func tellsMore(than known: Seat) -> Bool {
            changeCount != known.changeCount || damage != known.damage || debt != known.debt
                || (unfinished > 0) != (known.unfinished > 0)
        }
    }
}
