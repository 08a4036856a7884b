import type { IDataObject } from 'n8n-workflow';

import type { OperationResult, Part } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/answers';
import type { Difference } from '../../../values/same';
import { shownValue } from '../../../values/shown';
import { joined } from '../../shared/hints';
import { fileOf, type Place } from '../api';
import { showsValue } from '../goals';
import { removeWrite, updateWrite } from '../writes';
import type { Wish } from './applyForm';
import {
	copyOf,
	awaitReplacement,
	lackingOf,
	obstacleTo,
	replacementWrite,
	showsReferences,
} from './replacing';
import { ruleFor, type Rule } from './rules';
import type { Seen } from './split';
import { wantedBy } from './wanted';

/* How a document that's there gets what its rule wants: by an update, or by being replaced. */

/** A document, what its rule wants, and the document that has replaced it already. */
export interface Planned {
	document: DocumentAnswer;
	rule?: Rule;
	copy?: DocumentAnswer;
	/** Which of the two counts from now on. */
	now: DocumentAnswer;
	position?: number;
}

/** Finds the rule of each document. What replaces another one that is still there isn't one of its own. */
export function planDocuments(
	{ rules, replaces }: Pick<Wish, 'rules' | 'replaces'>,
	documents: DocumentAnswer[],
): Planned[] {
	const all = documents.map((document): Planned => {
		const rule = ruleFor(rules, fileOf(document).name);
		const copy = rule && replaces ? copyOf(document, rule, documents) : undefined;
		const position = rule?.fields.bundle_position as number | undefined;
		return { document, rule, copy, now: copy ?? document, position };
	});
	return all.filter(({ document }) => !all.some(({ copy }) => copy === document));
}

/** What of a rule wasn't set, and why. */
interface NotApplied extends IDataObject {
	field: string;
	reason: string;
}

const ONLY_NEW =
	"Not every service takes it in an update. Set 'What Update Can't Set' to Replace the Document";

/** What all parts of a document have. */
type Named = Omit<Part, 'write' | 'found'>;

/** How a document gets what its rule wants: by one write, or by two where it's replaced. */
export function partsOfDocument(
	named: Named,
	{ transactionId, platform, replaces }: Wish,
	{ isSplitting, documents }: Seen,
	{ document, rule, copy }: Planned,
	position: unknown,
	unmet: readonly string[],
): Part[] {
	const place: Place = { transactionId, documentId: String(document.id), platform };
	const unmetRules = unmet.map((reason): NotApplied => ({ field: 'rule', reason }));
	const toResult = (
		now: DocumentAnswer,
		ofDocument: NotApplied[],
		more: Omit<OperationResult, 'json'>,
	): OperationResult => resultOf(now, [...ofDocument, ...unmetRules], more);
	const resultOf = (
		now: DocumentAnswer,
		notApplied: NotApplied[],
		more: Omit<OperationResult, 'json'>,
	): OperationResult => ({
		json: {
			transaction_id: transactionId,
			document_id: now.id,
			document_name: now.document_name ?? null,
			rule: rule?.row ?? null,
			applied: fieldsOf(rule).filter((name) => !notApplied.some(({ field }) => field === name)),
			not_applied: notApplied,
			...(now.id !== document.id && { replaced_document_id: document.id }),
			split_running: isSplitting,
			ready: isSplitting !== true && notApplied.length === 0,
		},
		...more,
		hint: joined([more.hint, hintOf(notApplied)]),
	});
	const found = (
		counted: string,
		now = document,
		notApplied: NotApplied[] = [],
	): Pick<Part, 'found'> => ({ found: toResult(now, notApplied, { counted, isFound: true }) });
	if (rule === undefined) return [{ ...named, ...found('without a rule') }];
	const { changes: all } = wantedBy(rule);
	const left = lackingOf(document, rule);
	const obstacle = replaces ? obstacleTo(document, rule, showsReferences(documents)) : ONLY_NEW;
	if (left.length > 0 && obstacle === undefined) {
		const counted = 'replaced';
		const write = replacementWrite(place, document, rule, position, (added, hint) =>
			toResult(added, [], { counted, hint }),
		);
		const earlier = copy && { ...named, ...found(counted, copy) };
		return [earlier ?? { ...named, write }, deletionOf(named, place, document, rule)];
	}
	const notApplied = left.map((field): NotApplied => ({ field, reason: obstacle! }));
	const changes = Object.fromEntries(
		Object.entries(all).filter(([name, value]) => !showsValue(document, name, value)),
	);
	if (Object.keys(changes).length === 0)
		return [{ ...named, ...found('unchanged', document, notApplied) }];
	return [
		{
			...named,
			write: updateWrite(
				() => place,
				changes,
				document,
				({ document: now, differing }) =>
					toResult(now, [...notApplied, ...differing.map(shownOtherwise)], { counted: 'updated' }),
			),
		},
	];
}

/** Deletes the document that another one has replaced. */
const deletionOf = (named: Named, place: Place, document: DocumentAnswer, rule: Rule): Part => ({
	...named,
	key: `${named.key}/old`,
	name: `The old ${named.name}`,
	isBeside: true,
	write: removeWrite(
		() => place,
		() => ({ json: {} }),
		async ({ service }) => {
			await awaitReplacement(service, place, document, rule);
			return undefined;
		},
	),
});

/** All that a rule sets. */
function fieldsOf(rule: Rule | undefined): string[] {
	if (rule === undefined) return [];
	const { changes, ofNew } = wantedBy(rule);
	const position = rule.fields.bundle_position === undefined ? [] : ['bundle_position'];
	return [...Object.keys(changes), ...ofNew, ...position];
}

const shownOtherwise = ({ field, shown }: Difference): NotApplied => ({
	field,
	reason: `The service shows ${shownValue(shown)}`,
});

const hintOf = (notApplied: NotApplied[]): string | undefined =>
	notApplied.length === 0
		? undefined
		: `not applied: ${notApplied.map(({ field }) => field).join(', ')}`;
