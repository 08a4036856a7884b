/** What a paper is made of, whatever tool writes it. */

/** Where the printed name of a signer stands at the line that the signer signs on. */
export type NamePlace = 'on' | 'over' | 'above' | 'below';

/** The sign of a check box: of a font of signs, or drawn. */
export type BoxSign = 'ballot' | 'dingbat' | 'wingding' | 'drawn';

export interface Signer {
	name: string;
	label: string;
}

export type Block =
	| { heading: string }
	| { text: string; isJustified?: boolean }
	| { signers: Signer[]; names: NamePlace; hasDate?: boolean }
	| { boxes: string[] }
	| { table: string[][] }
	| { stamp: string };

/** How a paper looks. */
export interface Look {
	font: 'serif' | 'sans' | 'libertine';
	size: number;
	names: NamePlace;
	sign: BoxSign;
	/** Repeated on each page. */
	header?: string;
	footer?: string;
	smallCaps?: boolean;
	/** Between the letters of headings, in points. */
	letterSpacing?: number;
	/** Prose in two columns beside each other. */
	hasColumns?: boolean;
	/** Values are in form fields, which only some tools can make. */
	hasFields?: boolean;
	/** Stamps are over other texts, on one line with them. */
	stampsOver?: boolean;
	/** What's done to the last page, so that nobody knows from where the service measures. */
	lastPage?: 'rotated' | 'cropped';
}

/** A text that a person may point at, and longer ones that aren't meant. */
export interface Phrase {
	text: string;
	notInside?: string;
}

/** Pages of blocks. */
export type Pages = Block[][];

export interface Paper {
	name: string;
	tool: string;
	look: Look;
	pages: Pages;
	phrases: Phrase[];
	/** Written in either way, of which a person points at one. */
	headings: Phrase[];
}

/** Characters next to each other, as a tool has laid them out, in points from the bottom left. */
export interface Line {
	page: number;
	text: string;
	/** Of each UTF-16 unit of the text. */
	xs: number[];
	baselines: number[];
}
