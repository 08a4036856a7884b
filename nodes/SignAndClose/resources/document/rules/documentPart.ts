import type { IDataObject } from 'n8n-workflow';

import type { OperationResult, Part } from '../../../run/operation';
import { mapSeen, write } from '../../../run/outcome/goals';
import type { DocumentAnswer } from '../../../transport/answers/answers';
import type { Difference } from '../../../values/same';
import { shownValue } from '../../../values/shown';
import { joined } from '../../shared/hints';
import { documentByReference, inTransaction } from '../../shared/toCheck';
import { fileOf, type Place } from '../api';
import { removedGoal, showsValue, updatedGoal } from '../goals';
import type { Wish } from './applyForm';
import {
	copyOf,
	deleteReplaced,
	findReplacement,
	isCopyFor,
	obstacleTo,
	prepareReplacement,
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
type Named = Omit<Part, 'prepare' | 'ifLost'>;

/** How a document gets what its rule wants: by one write, or by two where it's replaced. */
export function partsOfDocument(
	named: Named,
	{ transactionId, platform, replaces }: Wish,
	{ isSplitting }: Seen,
	{ document, rule, copy }: Planned,
	position: unknown,
): Part[] {
	const place: Place = { transactionId, documentId: String(document.id), platform };
	const toResult = (
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
		},
		...more,
		hint: joined([more.hint, hintOf(notApplied)]),
	});
	const found = (
		counted: string,
		now = document,
		notApplied: NotApplied[] = [],
	): Pick<Part, 'prepare'> => ({
		prepare: async () =>
			await Promise.resolve(
				async () => await Promise.resolve(toResult(now, notApplied, { counted, isFound: true })),
			),
	});
	if (rule === undefined) return [{ ...named, ...found('without a rule') }];
	const { changes: all, ofNew } = wantedBy(rule);
	const left = isCopyFor(document, rule) ? [] : ofNew;
	const obstacle = replaces ? obstacleTo(document, rule) : ONLY_NEW;
	if (left.length > 0 && obstacle === undefined) {
		const counted = 'replaced';
		const addition: Part = {
			...named,
			async prepare(call) {
				const add = await prepareReplacement(call, place, document, rule, position);
				return async (own) => {
					const { document: added, hint } = await add(own);
					return toResult(added, [], { counted, hint });
				};
			},
			ifLost: {
				lookUp: async (own) =>
					mapSeen(await findReplacement(own, place), (now) => toResult(now, [], { counted })),
				...documentByReference(() => undefined),
			},
		};
		const earlier = copy && { ...named, ...found(counted, copy) };
		return [earlier ?? addition, deletionOf(named, place)];
	}
	const notApplied = left.map((field): NotApplied => ({ field, reason: obstacle! }));
	const changes = Object.fromEntries(
		Object.entries(all).filter(([name, value]) => !showsValue(document, name, value)),
	);
	if (Object.keys(changes).length === 0)
		return [{ ...named, ...found('unchanged', document, notApplied) }];
	const update = { ...place, changes, replacesFile: false };
	const updated = ({
		document: now,
		differing,
	}: {
		document: DocumentAnswer;
		differing: Difference[];
	}) => toResult(now, [...notApplied, ...differing.map(shownOtherwise)], { counted: 'updated' });
	const change: Part = {
		...named,
		prepare: async () =>
			await Promise.resolve(async (own) => {
				const { documentId } = place;
				const send = async () =>
					await own.service.json('updateDocument', {
						path: { documentId },
						platform,
						body: changes,
					});
				return updated(
					await write(
						own.service,
						send,
						updatedGoal({ ...update, service: own.service, before: document }),
					),
				);
			}),
		ifLost: {
			lookUp: async ({ service }) =>
				mapSeen(await updatedGoal({ ...update, service }).fromService(), updated),
			toCheck: inTransaction('whether the document shows the change'),
		},
	};
	return [change];
}

/** Deletes the document that another one has replaced. */
function deletionOf(named: Named, place: Place): Part {
	return {
		...named,
		key: `${named.key}/old`,
		name: `The old ${named.name}`,
		isBeside: true,
		prepare: async () =>
			await Promise.resolve(async (own) => {
				await deleteReplaced(own, place);
				return { json: {} };
			}),
		ifLost: {
			lookUp: async ({ service }) =>
				mapSeen(await removedGoal(service, place).fromService(), () => ({ json: {} })),
			toCheck: inTransaction('whether the document is gone'),
		},
	};
}

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
