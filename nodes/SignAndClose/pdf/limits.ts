/*
 * What one document may cost. Each bound ends in a result that says so: a page is unreadable, or the
 * whole document is.
 */

import { Unreadable } from './unreadable';

export interface Limits {
	/** Pages of a document. */
	pages: number;
	/** Bytes that one stream may unpack to. */
	streamBytes: number;
	/** Bytes of all objects that are parsed and all streams that are unpacked, each time they are. */
	bytes: number;
	/** Objects and cross-reference entries. */
	objects: number;
	/** Operators of all content streams. */
	operators: number;
	/** Glyphs of one page. */
	pageGlyphs: number;
	/** Glyphs of all pages. */
	glyphs: number;
	/** Entries of all CMaps and arrays of widths, with each range counted by its codes. */
	mapEntries: number;
}

/** Enough for closing packages of a thousand pages. */
export const LIMITS: Limits = {
	pages: 5_000,
	streamBytes: 32 * 1024 * 1024,
	bytes: 256 * 1024 * 1024,
	objects: 500_000,
	operators: 6_000_000,
	pageGlyphs: 100_000,
	glyphs: 3_000_000,
	mapEntries: 2_000_000,
};

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

/** How many operands an operator may have. The longest in ISO 32000, sc of DeviceN, has 32. */
export const MAX_OPERANDS = 200;

/** Milliseconds of work after which other work of the process gets its turn. */
const TURN_MS = 25;

/** Gives other work of the process a turn, such as `sleep(0)`. */
export type Pause = () => Promise<unknown>;

/** Lets others work after some milliseconds. */
export class Turns {
	private since = performance.now();

	constructor(private readonly pause: Pause) {}

	/** To be awaited, if it's defined: a pause is due. */
	due(): Promise<void> | undefined {
		return performance.now() - this.since < TURN_MS ? undefined : this.take();
	}

	private async take(): Promise<void> {
		await this.pause();
		this.since = performance.now();
	}
}

/** What's left of the limits while a document is read. */
export class Budget extends Turns {
	private readonly left: Limits;

	constructor(
		readonly limits: Limits,
		pause: Pause,
	) {
		super(pause);
		this.left = { ...limits };
	}

	/** @throws Unreadable when no more is left of it */
	spend(what: keyof Limits, amount = 1): void {
		this.left[what] -= amount;
		if (this.left[what] < 0)
			throw new Unreadable('limit', `More ${what} than ${this.limits[what]}`);
	}

	/** Begins a page, which has its own number of glyphs. */
	beginPage(): void {
		this.left.pageGlyphs = this.limits.pageGlyphs;
	}
}
