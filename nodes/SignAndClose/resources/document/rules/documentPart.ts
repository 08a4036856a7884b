import type { OperationResult, Part } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/answers';
import type { Difference } from '../../../values/same';
import { shownValue } from '../../../values/shown';
import { joined } from '../../shared/hints';
import type { Place } from '../api';
import { showsValue } from '../goals';
import { updateWrite } from '../writes';
import type { Wish } from './applyForm';
import { lackingOf, obstacleTo, replacedWrite, replacementWrite, type Planned } from './replacing';
import { wantedBy, type Rule } from './rules';
import type { Seen } from './split';

/* How a document that's there gets what its rule wants: by an update, or by being replaced. */

/** What of a rule wasn't set, and why. */
type NotApplied = { field: string; reason: string };

const ONLY_NEW =
	"Not every service takes it in an update. Set 'What Update Can't Set' to Replace the Document";

/** What all parts of a document have. */
type Named = Omit<Part, 'write' | 'found'>;

/** How a document gets what its rule wants: by one write, or by two where it's replaced. */
export function partsOfDocument(
	named: Named,
	wish: Wish,
	seen: Seen,
	planned: Planned,
	position: unknown,
	unmet: readonly string[],
): Part[] {
	const { document, rule, copy } = planned;
	const { transactionId, platform, replaces } = wish;
	const place: Place = { transactionId, documentId: String(document.id), platform };
	const toResult = resultsOf(wish, seen, planned, unmet);
	const found = (counted: string, now = document, notApplied: NotApplied[] = []): Part => ({
		...named,
		found: toResult(now, notApplied, { counted, isFound: true }),
	});
	if (rule === undefined) return [found('without a rule')];
	const left = lackingOf(document, rule);
	const obstacle = replaces ? obstacleTo(document, rule, seen.documents) : ONLY_NEW;
	if (left.length > 0 && obstacle === undefined) {
		const counted = 'replaced';
		const write = replacementWrite(place, document, rule, position, (added, hint) =>
			toResult(added, [], { counted, hint }),
		);
		const key = `${named.key}/old`;
		const deletion = { ...named, key, name: `The old ${named.name}`, isBeside: true as const };
		return [
			copy ? found(counted, copy) : { ...named, write },
			{ ...deletion, write: replacedWrite(place, document, rule) },
		];
	}
	const notApplied = left.map((field): NotApplied => ({ field, reason: obstacle! }));
	const changes = Object.fromEntries(
		Object.entries(wantedBy(rule).changes).filter(
			([name, value]) => !showsValue(document, name, value),
		),
	);
	if (Object.keys(changes).length === 0) return [found('unchanged', document, notApplied)];
	const inPlace = () => place;
	const write = updateWrite(inPlace, changes, document, ({ document: now, differing }) =>
		toResult(now, [...notApplied, ...differing.map(shownOtherwise)], { counted: 'updated' }),
	);
	return [{ ...named, write }];
}

/** Builds the results of a document, from what of its rule wasn't set. */
const resultsOf =
	(
		{ transactionId }: Wish,
		{ isSplitting }: Seen,
		{ document, rule }: Planned,
		unmet: readonly string[],
	) =>
	(
		now: DocumentAnswer,
		ofDocument: NotApplied[],
		more: Omit<OperationResult, 'json'>,
	): OperationResult => {
		const notApplied = [...ofDocument, ...unmet.map((reason) => ({ field: 'rule', reason }))];
		const fields = notApplied.map(({ field }) => field);
		const hint = fields.length === 0 ? undefined : `not applied: ${fields.join(', ')}`;
		return {
			json: {
				transaction_id: transactionId,
				document_id: now.id,
				document_name: now.document_name ?? null,
				rule: rule?.row ?? null,
				applied: fieldsOf(rule).filter((name) => !fields.includes(name)),
				not_applied: notApplied,
				...(now.id !== document.id && { replaced_document_id: document.id }),
				split_running: isSplitting,
				ready: isSplitting !== true && notApplied.length === 0,
			},
			...more,
			hint: joined([more.hint, hint]),
		};
	};

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
