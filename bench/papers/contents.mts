import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Block, Look, NamePlace, Pages, Phrase, Signer } from './blocks.mts';

/**
 * The papers of a closing, in contents/. Of a paper, `# ` is a heading, `> ` a justified text, `[ ] ` a
 * check box, `| ` a row of a table, `Sign: ` has who signs where, and `---` begins a page. What a
 * person may point at comes after `===`. Names in braces are those of people.
 */

const FOLDER = join(import.meta.dirname, 'contents');

export const KINDS = readdirSync(FOLDER).map((name) => basename(name, '.txt'));

/** Who signs, and what: by the names in the braces. */
export type People = Record<'borrower' | 'coBorrower' | 'notary' | 'property', string>;

export interface Content {
	pages: Pages;
	phrases: Phrase[];
}

export function readContent(kind: string, people: People, look: Look): Content {
	const text = fillIn(readFileSync(join(FOLDER, `${kind}.txt`), 'utf8'), people);
	const [paper, phrases] = text.split('\n===\n');
	return {
		pages: paper.split('\n---\n').map((page) =>
			page
				.trim()
				.split('\n\n')
				.map((block) => parseBlock(block, look)),
		),
		phrases: phrases.trim().split('\n').map(parsePhrase),
	};
}

/** A name in capitals is filled in in capitals. */
const fillIn = (text: string, people: People): string =>
	Object.entries(people).reduce(
		(filled, [name, value]) =>
			filled
				.replaceAll(`{${name}}`, value)
				.replaceAll(`{${name.toUpperCase()}}`, value.toUpperCase()),
		text,
	);

function parsePhrase(line: string): Phrase {
	const [, text, notInside] = /^(.*) \(not inside (.*)\)$/.exec(line) ?? [];
	return text === undefined ? { text: line } : { text, notInside };
}

function parseBlock(block: string, look: Look): Block {
	const [, mark, rest] = /^(# |> |\[ \] |\| |Stamp: |Sign[^:]*: )?(.*)/s.exec(block) ?? [];
	const lines = block.split('\n');
	switch (mark?.split(/[ :]/)[0]) {
		case '#':
			return { heading: rest };
		case '>':
			return { text: rest, isJustified: true };
		case '[':
			return { boxes: lines.map((line) => line.slice('[ ] '.length)) };
		case '|':
			return { table: lines.map((line) => line.slice(2, -2).split(' | ')) };
		case 'Stamp':
			return { stamp: rest };
		case 'Sign':
			return { ...parseSign(mark, look), signers: rest.split('; ').map(parseSigner) };
		default:
			return { text: block };
	}
}

/** "Sign below with date": where the names are, if that isn't left to the look. */
const parseSign = (mark: string, look: Look) => ({
	names: (/^Sign (on|over|above|below)/.exec(mark)?.[1] ?? look.names) as NamePlace,
	hasDate: mark.includes('with date'),
});

function parseSigner(text: string): Signer {
	const [name, label] = text.split('= ');
	return { name: name.trim(), label };
}
