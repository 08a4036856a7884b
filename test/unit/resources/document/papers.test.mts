import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { askNode, isNear, type Answer } from '../../../../bench/papers/askNode.mts';
import type { Row } from '../../../../bench/papers/truth.mts';

/**
 * The papers of a closing as offices make them, by eight tools (bench/papers): At a Text is asked for
 * what a person would point at. Where that is say the tools' own layouts.
 */

const PAPERS = join(import.meta.dirname, '../../../fixtures/papers');

/** A text that's there may only be refused since its page can't be read. */
const UNREAD = /page \d+ (has|is) /;

interface Outcome {
	paper: string;
	row: Row;
	answer: Answer;
}

const outcomes: Outcome[] = [];
beforeAll(async () => {
	const truth = JSON.parse(readFileSync(join(PAPERS, 'truth.json'), 'utf8')) as Record<
		string,
		Row[]
	>;
	for (const [paper, rows] of Object.entries(truth)) {
		const answers = await askNode(readFileSync(join(PAPERS, `${paper}.pdf`)), rows);
		for (const [index, row] of rows.entries())
			outcomes.push({ paper, row, answer: answers[index] });
	}
});

const isRight = ({ row: { expected = [] }, answer }: Outcome): boolean =>
	'places' in answer &&
	answer.places.length === expected.length &&
	expected.every((place, index) => isNear(answer.places[index], place));

const list = (which: (outcome: Outcome) => boolean): string[] =>
	outcomes.filter(which).map((outcome) => JSON.stringify(outcome));

test('nothing is placed but where it stands', () => {
	expect(list((outcome) => 'places' in outcome.answer && !isRight(outcome))).toEqual([]);
});

test('at least 97 of 100 texts are found', () => {
	const present = outcomes.filter(({ row }) => row.expected !== undefined);
	expect(present.length).toBeGreaterThan(1000);
	expect(present.filter(isRight).length / present.length).toBeGreaterThanOrEqual(0.97);
});

test('what is refused is refused with the true reason', () => {
	expect(
		list(
			({ row: { refused }, answer }) =>
				'refused' in answer &&
				!(refused === undefined ? UNREAD.test(answer.refused) : answer.refused.includes(refused)),
		),
	).toEqual([]);
});
