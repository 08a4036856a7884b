import type { OperationCall } from '../../../run/operation';
import type { DocumentAnswer, TransactionAnswer } from '../../../transport/answers/shapes';
import { listDocuments } from '../../document/api';
import type { ItemDocument } from '../createAndSend/itemDocuments';
import { runChecks } from '../check/checks';
import { buildFacts } from '../check/facts';
import type { PapersComparison } from './comparison';
import type { ReplacementItem } from './item';
import type { Paper } from './matching';

/* What the draft will be like. What it lacks is known before anything is taken from its signers. */

/** Says what the draft would lack before it can be sent, in sentences without a final period. */
export function listLacks(
	call: OperationCall,
	item: ReplacementItem,
	comparison: PapersComparison,
): string[] {
	const facts = buildFacts(call, buildExpectedDraft(item, comparison), item.platform);
	const skipsClosingTeam = item.sendOptions.skip_closing_ops === true;
	return runChecks({ ...facts, skipsClosingTeam })
		.filter(({ state }) => state === 'missing')
		.map(({ text }) => text);
}

function buildExpectedDraft(
	{ enote }: ReplacementItem,
	{ transaction, papers, twins, outdated, failed, enotes }: PapersComparison,
): TransactionAnswer {
	const replaced = [
		...papers.map(({ former }) => former),
		...outdated.map(({ document }) => document),
	];
	const deleted = [...twins, ...failed, ...replaced];
	const newEnote: DocumentAnswer = {
		...{ document_name: 'enote.xml', is_enote: true },
		...{ requirement: 'readonly', processing_state: 'done', signing_designations: [] },
	};
	return {
		...transaction,
		status: 'started',
		detailed_status: 'draft',
		documents: [
			...listDocuments(transaction)
				.filter((document) => !deleted.includes(document))
				.map((document) => ({ ...document, processing_state: 'done' })),
			...papers.filter(isNew).map(({ expected }) => toAnswer(expected)),
			...(enote !== undefined && enotes.length === 0 ? [newEnote] : []),
		],
	};
}

const isNew = ({ current }: Paper): boolean => current === undefined;

/** A new document as it will be shown. Nobody knows which places the service finds by tags. */
const toAnswer = ({ fields, name }: ItemDocument): DocumentAnswer => ({
	...fields,
	document_name: name,
	is_enote: false,
	processing_state: 'done',
	allowed_actions: fields.customer_can_annotate === true ? ['CUSTOMER_CAN_ANNOTATE'] : [],
	...(fields.text_tag_syntax === undefined && {
		signing_designations: (fields.signing_designations ??
			[]) as DocumentAnswer['signing_designations'],
	}),
});
