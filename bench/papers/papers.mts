import type { Look, Pages, Paper, Phrase } from './blocks.mts';
import { KINDS, readContent, type People } from './contents.mts';

/** The papers: each content with several tools and looks, so that each look meets each tool. */

const PEOPLE: People[] = [
	{
		borrower: 'Jane Q. Borrower',
		coBorrower: 'John A. Homeowner',
		notary: 'Ana Field',
		property: '12 Ocean Way, Jacksonville, FL 32202',
	},
	{
		borrower: 'Mary-Ann O’Brien',
		coBorrower: 'José Núñez-Ortiz',
		notary: 'Griffin Affleck',
		property: '4 Río Vista, St. Augustine, FL 32084',
	},
	{
		borrower: 'Efraín Offutt-Griffith',
		coBorrower: 'Zoë D’Angelo Jr.',
		notary: 'Renée Lefèvre',
		property: '2201 Fifth Street #4, Duval, FL 32210',
	},
];

/** What a tool can't do is left out of its looks. */
const TOOLS: Record<
	string,
	{
		fonts: Array<Look['font']>;
		signs: Array<Look['sign']>;
		names: Array<Look['names']>;
		count: number;
		odd?: Partial<Look>[];
	}
> = {
	chromium: {
		fonts: ['serif', 'sans', 'libertine'],
		signs: ['ballot', 'wingding', 'drawn', 'dingbat'],
		names: ['on', 'over', 'above', 'below'],
		count: 10,
		odd: [{ hasColumns: true }, { letterSpacing: 2 }],
	},
	wkhtmltopdf: {
		fonts: ['sans', 'serif', 'libertine'],
		signs: ['wingding', 'ballot', 'drawn'],
		names: ['over', 'above', 'on', 'below'],
		count: 7,
		odd: [{ letterSpacing: 1.5 }],
	},
	weasyPrint: {
		fonts: ['libertine', 'serif', 'sans'],
		signs: ['drawn', 'ballot', 'wingding', 'dingbat'],
		names: ['above', 'over', 'on', 'below'],
		count: 8,
		odd: [{ hasColumns: true }],
	},
	libreOffice: {
		fonts: ['serif', 'libertine', 'sans'],
		signs: ['wingding', 'ballot', 'dingbat'],
		names: ['on', 'above', 'below'],
		count: 8,
	},
	fop: {
		fonts: ['serif', 'sans', 'libertine'],
		signs: ['dingbat', 'wingding', 'ballot', 'drawn'],
		names: ['above', 'on', 'below', 'over'],
		count: 7,
		odd: [{ letterSpacing: 2 }],
	},
	reportLab: {
		fonts: ['libertine', 'serif', 'sans'],
		signs: ['dingbat', 'drawn'],
		names: ['over', 'on', 'above', 'below'],
		count: 7,
		odd: [
			{ hasColumns: true },
			{ lastPage: 'cropped' },
			{ letterSpacing: 2 },
			{ hasFields: true, names: 'above' },
		],
	},
	pdfLib: {
		fonts: ['sans', 'serif'],
		signs: ['drawn', 'dingbat'],
		names: ['on', 'below', 'over', 'above'],
		count: 8,
		odd: [
			{ hasFields: true, names: 'above' },
			{ lastPage: 'rotated' },
			{ lastPage: 'cropped' },
			{ hasFields: true, names: 'over' },
		],
	},
	ghostscript: {
		fonts: ['serif', 'sans'],
		signs: ['drawn', 'dingbat'],
		names: ['below', 'over', 'above', 'on'],
		count: 7,
		odd: [{ hasColumns: true }, { lastPage: 'rotated' }, { letterSpacing: 1 }],
	},
};

const pick = <T,>(values: readonly T[], index: number): T => values[index % values.length];

/** As they are written, and as they look in small capitals. */
const listHeadings = (pages: Pages): Phrase[] =>
	pages
		.flat()
		.flatMap((block) => ('heading' in block ? [block.heading, block.heading.toUpperCase()] : []))
		.map((text) => ({ text }));

export const listPapers = (): Paper[] => {
	let number = 0;
	return Object.entries(TOOLS).flatMap(([tool, { fonts, signs, names, count, odd = [] }]) =>
		Array.from({ length: count }, (_, index): Paper => {
			const kind = pick(KINDS, number++);
			const look: Look = {
				font: pick(fonts, index),
				size: pick([11, 9.5, 12, 10], index),
				names: pick(names, index),
				sign: pick(signs, index),
				...(index % 2 === 0 && {
					header: 'Loan No. 0042-118-7 · Borrower Signature required on each page',
				}),
				...(index % 3 !== 1 && {
					footer: 'Form 3010 (rev. 07/21) · Initials: ______ · Date: __________',
				}),
				smallCaps: index % 3 === 0,
				stampsOver: index % 4 === 1,
				...(index >= 2 && pick([...odd, {}], index)),
			};
			const people = pick(PEOPLE, index + number);
			const content = readContent(kind, people, look);
			return {
				name: `${kind}-${tool}-${index + 1}`,
				tool,
				look,
				...content,
				headings: listHeadings(content.pages),
			};
		}),
	);
};
