import type { IDataObject } from 'n8n-workflow';

import type { OperationResult, WritePart } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import type { FieldDifference } from '../../../values/comparison';
import { formatForDisplay } from '../../../values/plainValues';
import { joinHints } from '../../../form/hints';
import type { DocumentPlace } from '../api';
import { showsValue } from '../comparison';
import { describeLeftOutPlaces, toLeftOutOutput } from '../places/signers';
import { defineUpdateWrite } from '../writes';
import type { ApplyForm } from './form';
import {
	listLacking,
	describeObstacle,
	defineRemoval,
	defineReplacement,
	type RulePlan,
} from './replacement';
import { divide, type Rule } from './rules';
import type { RuledDraft } from './split';

/* How a document that's there gets what its rule wants: by an update, or by being replaced. */

/** What of a rule wasn't set, and why. */
type NotApplied = { field: string; reason: string };

const ONLY_NEW =
	"Not every service takes it in an update. Set 'What Update Can't Set' to Replace the Document";

/** What all parts of a document have. */
type PartIdentity = Omit<WritePart, 'write' | 'found'>;

/** How a document gets what its rule wants: by one write, or by two where it's replaced. */
export function buildDocumentParts(
	base: PartIdentity,
	form: ApplyForm,
	draft: RuledDraft,
	plan: RulePlan,
	position: unknown,
	unmet: readonly string[],
): WritePart[] {
	const { document, rule, copy } = plan;
	const { transactionId, platform, replaces } = form;
	const place: DocumentPlace = { transactionId, documentId: String(document.id), platform };
	const toResult = defineResult(form, draft, plan, unmet);
	const places = toLeftOutOutput(rule?.assignment?.leftOut ?? [], platform, {
		document: base.name,
		rule: rule?.row,
	});
	const keep = (counted: string, now = document, notApplied: NotApplied[] = []): WritePart => ({
		...base,
		existing: withLeftOut(toResult(now, notApplied, { counted, isFound: true }), places),
	});
	if (rule === undefined) return [keep('without a rule')];
	const lacking = listLacking(document, rule);
	const obstacle = replaces ? describeObstacle(document, rule, draft.documents) : ONLY_NEW;
	if (lacking.length > 0 && obstacle === undefined) {
		const counted = 'replaced';
		const write = defineReplacement(place, document, rule, position, (now, hint, leftOut = []) => {
			const { json, ...result } = toResult(now, [], { counted, hint });
			return { ...result, json: { ...json, left_out: leftOut } };
		});
		const key = `${base.key}/old`;
		const deletion = { ...base, key, name: `The old ${base.name}`, isAuxiliary: true as const };
		return [
			copy ? keep(counted, copy) : { ...base, write },
			{ ...deletion, write: defineRemoval(place, document, rule) },
		];
	}
	const notApplied = lacking.map((field): NotApplied => ({ field, reason: obstacle! }));
	const changes = Object.fromEntries(
		Object.entries(divide(rule).changes).filter(
			([name, value]) => !showsValue(document, name, value),
		),
	);
	if (Object.keys(changes).length === 0) return [keep('unchanged', document, notApplied)];
	const getPlace = () => place;
	const write = defineUpdateWrite(getPlace, changes, document, ({ document: now, differing }) =>
		withLeftOut(
			toResult(now, [...notApplied, ...differing.map(describeDifference)], { counted: 'updated' }),
			places,
		),
	);
	return [{ ...base, write }];
}

/** Says what a document that stays doesn't have, unless its places aren't those of its rule. */
function withLeftOut(result: OperationResult, places: IDataObject[]): OperationResult {
	const applied = result.json.applied as string[];
	if (places.length === 0 || !applied.includes('signing_designations')) return result;
	const hint = joinHints([result.hint, describeLeftOutPlaces(places)]);
	return { ...result, json: { ...result.json, left_out: places }, hint };
}

/** Builds the results of a document, from what of its rule wasn't set. */
const defineResult =
	(
		{ transactionId }: ApplyForm,
		{ isSplitting }: RuledDraft,
		{ document, rule }: RulePlan,
		unmet: readonly string[],
	) =>
	(
		current: DocumentAnswer,
		ofDocument: NotApplied[],
		details: Omit<OperationResult, 'json'>,
	): OperationResult => {
		const notApplied = [...ofDocument, ...unmet.map((reason) => ({ field: 'rule', reason }))];
		const fields = notApplied.map(({ field }) => field);
		const hint = fields.length === 0 ? undefined : `not applied: ${fields.join(', ')}`;
		return {
			json: {
				transaction_id: transactionId,
				document_id: current.id,
				document_name: current.document_name ?? null,
				rule: rule?.row ?? null,
				applied: listFields(rule).filter((name) => !fields.includes(name)),
				not_applied: notApplied,
				...(current.id !== document.id && { replaced_document_id: document.id }),
				split_running: isSplitting,
				ready: isSplitting !== true && notApplied.length === 0,
			},
			...details,
			hint: joinHints([details.hint, hint]),
		};
	};

/** All that a rule sets. */
function listFields(rule: Rule | undefined): string[] {
	if (rule === undefined) return [];
	const { changes, ofNew } = divide(rule);
	const position = rule.fields.bundle_position === undefined ? [] : ['bundle_position'];
	return [...Object.keys(changes), ...ofNew, ...position];
}

const describeDifference = ({ field, actual }: FieldDifference): NotApplied => ({
	field,
	reason: `The service shows ${formatForDisplay(actual)}`,
});
