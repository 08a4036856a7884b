/*
 * What one document may cost. Each bound ends in a result that says so: a page is unreadable, or the
 * whole document is.
 */

/** Enough for closing packages of a thousand pages. */
export const PDF_LIMITS = {
	/** Pages of a document. */
	pages: 5_000,
	/** Bytes that one stream may unpack to. */
	streamBytes: 16 * 1024 * 1024,
	/** Bytes of all objects that are parsed and all streams that are unpacked, each time they are. */
	bytes: 128 * 1024 * 1024,
	/** Objects and cross-reference entries. */
	objects: 250_000,
	/** Operators of all content streams; showing a form counts for several. */
	operators: 5_000_000,
	/** Glyphs of one page. */
	pageGlyphs: 100_000,
	/** Glyphs of all pages. */
	glyphs: 2_000_000,
	/** Entries of all CMaps and arrays of widths, with each range counted by its codes. */
	mapEntries: 500_000,
};

export type PdfLimits = typeof PDF_LIMITS;

/** How deep arrays and dictionaries may stand in each other. */
export const MAX_NESTED_OBJECTS = 100;

/** How many elements an array or a dictionary may have. */
export const MAX_ELEMENTS = 250_000;

/** How many bytes a string may have. */
export const MAX_STRING_BYTES = 1024 * 1024;

/** How deep form XObjects may stand in each other. */
export const MAX_NESTED_FORMS = 20;

/** How many graphics states may be saved at once. */
export const MAX_SAVED_STATES = 1_000;

/** How many references may follow each other until an object comes. */
export const MAX_REFERENCES = 20;

/** How many ranges of codes a CMap may have. */
export const MAX_CODESPACE_RANGES = 100;

/** How many operands an operator may have. The longest in ISO 32000, sc of DeviceN, has 32. */
export const MAX_OPERANDS = 200;

/** Milliseconds of work after which other work of the process gets its turn. */
const TURN_MS = 25;

/** Gives other work of the process a turn, such as `sleep(0)`. */
export type Pause = () => Promise<unknown>;

/** What's left of the limits while a document is read, and of the time until others have a turn. */
export class Budget {
	private readonly left: PdfLimits;

	private since = performance.now();

	constructor(
		private readonly pause: Pause,
		readonly limits: PdfLimits = PDF_LIMITS,
	) {
		this.left = { ...limits };
	}

	/** @throws Unreadable when no more is left of it */
	spend(limit: keyof PdfLimits, amount = 1): void {
		this.left[limit] -= amount;
		if (this.left[limit] < 0) throw new Unreadable('limit', `Too many ${limit}`);
	}

	/** Begins a page, which has its own number of glyphs. */
	beginPage(): void {
		this.left.pageGlyphs = this.limits.pageGlyphs;
	}

	/** To be awaited now and then: a pause, if one is due. */
	pauseIfDue(): Promise<void> | undefined {
		return performance.now() - this.since < TURN_MS ? undefined : this.giveTurn();
	}

	private async giveTurn(): Promise<void> {
		await this.pause();
		this.since = performance.now();
	}
}

/** Why a page or a document can't be read. */
export type UnreadableReason =
	/** There's no PDF in the bytes. */
	| 'notPdf'
	/** It can be opened with a password only. */
	| 'locked'
	/** It's encrypted in a way that isn't read here. */
	| 'encrypted'
	/** It isn't what ISO 32000 asks for. */
	| 'damaged'
	/** It uses a part of ISO 32000 that isn't read here. */
	| 'unsupported'
	/** Nobody says which characters its glyphs are, or how wide they are. */
	| 'unknownGlyphs'
	/** It's larger than the limits allow. */
	| 'limit';

/** The one exception of this folder. It never leaves it. */
export class Unreadable extends Error {
	constructor(
		readonly reason: UnreadableReason,
		message: string,
	) {
		super(message);
	}
}

/** The reason of whatever was thrown: what isn't ours comes from bytes that nobody foresaw. */
export const getReason = (thrown: unknown): UnreadableReason =>
	thrown instanceof Unreadable ? thrown.reason : 'damaged';
