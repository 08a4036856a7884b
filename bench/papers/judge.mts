import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { askNode, type Answer } from './askNode.mts';
import { readWithPdfJs } from './judges/pdfJs.mts';
import { readWithPoppler } from './judges/poppler.mts';
import { describeSeen, judge, type Judge } from './judges/verdict.mts';

/**
 * Judges At a Text on PDFs that nobody has written a truth for: asks for every occurrence of phrases,
 * and compares with what pdf.js sees, and poppler where it's installed. Prints what was misplaced, what
 * is not seen and what is refused, with the reason, and what is found. Run:
 * node --require ./scripts/jest/loader.cjs bench/papers/judge.mts FOLDER... [--phrases FILE] [--all]
 */

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { phrases: { type: 'string' }, all: { type: 'boolean', default: false } },
});

/** Beside what papers are signed. */
const SIGNING_PHRASES = [
	'Signature',
	'Borrower Signature',
	'Co-Borrower Signature',
	'Borrower',
	'Co-Borrower',
	'Buyer',
	'Seller',
	'Grantor',
	'Grantee',
	'Applicant',
	'Affiant',
	'Principal',
	'Witness',
	'Notary Public',
	'Date',
	'Initials',
	'Sign here',
	'Print Name',
	'Title',
	'My commission expires',
];

const phrases =
	values.phrases === undefined
		? SIGNING_PHRASES
		: readFileSync(values.phrases, 'utf8')
				.split('\n')
				.filter((line) => line.trim() !== '');

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

const listFiles = (path: string): string[] =>
	statSync(path).isDirectory()
		? readdirSync(path, { recursive: true, encoding: 'utf8' })
				.filter((name) => /\.pdf$/i.test(name))
				.sort()
				.map((name) => join(path, name))
		: [path];

const counts: Record<string, number> = {};

async function judgeFile(path: string) {
	const bytes = readFileSync(path);
	const answers = await askNode(
		bytes,
		phrases.map((text) => ({ text, occurrence: 'every' })),
	);
	const judges: Judge[] = [await readWithPdfJs(bytes), readWithPoppler(path)].filter(
		(each) => each !== undefined,
	);
	if (judges.length === 0) {
		print(`unread\t${basename(path)}\t${describeAnswer(answers[0])}`);
		return;
	}
	for (const [index, phrase] of phrases.entries()) {
		const verdict = judge(answers[index], judges, phrase);
		counts[verdict] = (counts[verdict] ?? 0) + 1;
		if (values.all || !['found', 'not there'].includes(verdict))
			print(
				`${verdict}\t${basename(path)}\t${phrase}\t${describeAnswer(answers[index])}\t${describeSeen(judges, phrase)}`,
			);
	}
}

const describeAnswer = (answer: Answer): string =>
	'places' in answer
		? answer.places.map(({ page, x, y }) => `${page}:${x},${y}`).join(' ')
		: answer.refused;

for (const path of positionals.flatMap(listFiles)) await judgeFile(path);
print(
	Object.entries(counts)
		.map(([verdict, count]) => `${count} ${verdict}`)
		.join(', '),
);
