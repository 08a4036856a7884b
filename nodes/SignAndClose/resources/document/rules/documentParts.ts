import type { OperationResult, WritePart } from '../../../run/operation';
import type { DocumentAnswer } from '../../../transport/answers/shapes';
import type { FieldDifference } from '../../../values/comparison';
import { formatForDisplay } from '../../../values/plainValues';
import { joinHints } from '../../../form/hints';
import type { Platform } from '../../../transport/service/endpoints';
import { describeFile, type DocumentPlace } from '../api';
import { showsValue } from '../comparison';
import {
	describeLeftOutPlaces,
	explainLeftOutPlaces,
	toLeftOutOutput,
	type ExplainedPlace,
} from '../places/leftOut';
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
	const keep = (counted: string, now = document, notApplied: NotApplied[] = []): WritePart => ({
		...base,
		existing: toResult(now, notApplied, { counted, isFound: true }),
	});
	if (rule === undefined) return [keep('without a rule')];
	const lacking = listLacking(document, rule);
	const obstacle = replaces ? describeObstacle(document, rule, draft.documents) : ONLY_NEW;
	if (lacking.length > 0 && obstacle === undefined) {
		const counted = 'replaced';
		const write = defineReplacement(place, document, rule, position, (now, hint, leftOut = []) =>
			toResult(now, [], { counted, hint }, leftOut),
		);
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
		toResult(now, [...notApplied, ...differing.map(describeDifference)], { counted: 'updated' }),
	);
	return [{ ...base, write }];
}

/** Builds the results of a document, from what of its rule wasn't set. */
const defineResult =
	(
		{ transactionId, platform }: ApplyForm,
		{ isSplitting }: RuledDraft,
		plan: RulePlan,
		unmet: readonly string[],
	) =>
	(
		current: DocumentAnswer,
		ofDocument: NotApplied[],
		details: Omit<OperationResult, 'json'>,
		leftOutByNew?: ExplainedPlace[],
	): OperationResult => {
		const { document, rule } = plan;
		const notApplied = [...ofDocument, ...unmet.map((reason) => ({ field: 'rule', reason }))];
		const fields = notApplied.map(({ field }) => field);
		const applied = listFields(rule).filter((name) => !fields.includes(name));
		const leftOut =
			leftOutByNew ?? (applied.includes('signing_designations') ? listLeftOut(plan, platform) : []);
		const hint = fields.length === 0 ? undefined : `not applied: ${fields.join(', ')}`;
		return {
			json: {
				transaction_id: transactionId,
				document_id: current.id,
				document_name: current.document_name ?? null,
				rule: rule?.row ?? null,
				applied,
				not_applied: notApplied,
				...((leftOutByNew !== undefined || leftOut.length > 0) && {
					left_out: toLeftOutOutput(leftOut),
				}),
				...(current.id !== document.id && { replaced_document_id: document.id }),
				split_running: isSplitting,
				ready: isSplitting !== true && notApplied.length === 0,
			},
			...details,
			hint: joinHints([details.hint, hint, describeLeftOutPlaces(leftOut)]),
		};
	};

/** The places of absent signers. Of texts, only placing tells whether they're there. */
const listLeftOut = ({ document, rule }: RulePlan, platform: Platform): ExplainedPlace[] =>
	explainLeftOutPlaces(rule?.assignment?.leftOut ?? [], platform, {
		document: describeFile(document).name,
		rule: rule?.row,
	});

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
