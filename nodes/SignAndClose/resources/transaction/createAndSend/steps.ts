import type { IDataObject } from 'n8n-workflow';

import {
	lookUpOf,
	type OperationCall,
	type OperationResult,
	type Part,
	type Parts,
} from '../../../run/operation';
import { mapSeen, notDone, write } from '../../../run/outcome/goals';
import type { TransactionAnswer } from '../../../transport/answers/answers';
import { retrieveTransaction } from '../../../transport/answers/retrieveTransaction';
import { isNotFound, ServiceFailure } from '../../../transport/failure/failure';
import { toBody } from '../../../transport/files/streamedJson';
import { sameId } from '../../../values/ids';
import { asText } from '../../../values/json';
import { documentsOf, isEnote } from '../../document/api';
import { goalOfNew, sendNewDocument } from '../../document/adding';
import { removedGoal } from '../../document/goals';
import { enoteAddedGoal, sendEnote } from '../../enote/api';
import { joined, referenceHint } from '../../shared/hints';
import { documentByReference, inTransaction } from '../../shared/toCheck';
import { phaseGoal, sendDraft } from '../api';
import { findingsOf, requireComplete, toSummary } from '../check/check';
import { allFacts, shownFacts } from '../check/facts';
import { sendClosing } from '../created';
import { createClaimed, createToCheck, findClaimed, lookUpCreate } from '../existing/ifExists';
import { withSigningLinks } from '../form/sendOptions';
import { transactionJson } from '../output';
import { isStillDraft, waitForDocuments } from '../waitForDocuments';
import { compareDocuments, referenceOf, type Earlier, type PlannedDocument } from './documents';
import { asCreate } from './form';
import type { Plan } from './plan';

/*
 * The steps of an item. Each of them is a write that's remembered and looked up by itself, and knows of
 * those before it what they've come to.
 */

/** What a step has come to. */
interface Step {
	what: string;
	when: string;
	outcome: 'done' | 'found';
}

const step = (what: string, outcome: Step['outcome'] = 'done'): Step => ({
	what,
	when: new Date().toISOString(),
	outcome,
});

/** What is known of the transaction once it's found or created. */
interface Begun extends Earlier {
	transaction_id: string;
	existing: boolean;
	/** It was sent before: nothing is added. */
	isSent: boolean;
	hasEnote: boolean;
}

const NEW = { isSent: false, hasEnote: false, there: {}, replaced: {} };

const resultOf = (json: object, steps: Step[], more: Partial<OperationResult> = {}) => ({
	json: { ...json, steps } as unknown as IDataObject,
	...more,
});

const begunIn = ([first]: OperationResult[]) => first?.json as unknown as Begun | undefined;

/** The parts of an item. */
export function partsOf(call: OperationCall, plan: Plan): Parts {
	const { params } = call;
	const of = ([...before]: OperationResult[]) =>
		params.replacing({ transactionId: begunIn(before)?.transaction_id }, new Map());
	const part = (key: string, name: string, own: StepWrite): Part => ({
		key,
		name,
		params: of,
		ifLost: own.ifLost,
		prepare: async () =>
			await Promise.resolve(async (now: OperationCall, before: OperationResult[]) => {
				const begun = begunIn(before)!;
				return await own.write(now, begun);
			}),
	});
	const last = { draft: 'Draft', check: 'Check', send: 'Send' }[plan.then];
	return {
		parts: [
			begin(asCreate(call), plan),
			...plan.documents.map((document) =>
				part(`document-${document.digest}-${document.before}`, document.file, add(plan, document)),
			),
			...(plan.enote === undefined ? [] : [part('enote', 'eNote', addEnote(plan.enote))]),
			part(plan.then, last, end(plan)),
		],
		toGoOn: (done) => {
			const id = begunIn(done)?.transaction_id;
			const kept = id === undefined ? '' : `The draft ${id} is kept. `;
			return `${kept}Run the workflow again: it goes on where it stopped`;
		},
		details: (done) => {
			const id = begunIn(done)?.transaction_id;
			return id === undefined ? undefined : { transaction_id: id };
		},
		join: (results) => join(plan, results),
	};
}

/** A write to the transaction. */
interface StepWrite extends Pick<Part, 'ifLost'> {
	write(call: OperationCall, begun: Begun): Promise<OperationResult>;
}

/** Finds or creates the transaction. */
function begin(call: OperationCall, plan: Plan): Part {
	const { platform, transaction: parsed, key, days, documents } = plan;
	const created = ({ json, ...result }: OperationResult): OperationResult => ({
		...resultOf({ ...NEW, transaction_id: json.transaction_id, existing: false }, [
			step('transaction'),
		]),
		note: result.note,
		counted: 'created',
	});
	const send = async (reference: IDataObject) =>
		platform === 'realEstate'
			? await sendClosing(call.service, parsed, reference)
			: await call.service.json('createTransaction', {
					platform,
					...toBody({ ...parsed.body, ...reference }),
				});
	const execute = async (now: OperationCall) => {
		const id = await findClaimed(now, parsed, key, days);
		if (id === undefined) {
			const made = await createClaimed(now, parsed, send);
			await requireOwn(now, plan, String(made.json.transaction_id));
			return created(made);
		}
		const found = await retrieveTransaction(now.service, id, platform);
		const isSent = !isStillDraft(found);
		const earlier = isSent ? NEW : compareDocuments(now, found, documents, plan.ifDiffers);
		const hasEnote = !isSent && plan.enote !== undefined && documentsOf(found).some(isEnote);
		const begun = {
			...NEW,
			...earlier,
			transaction_id: found.id,
			existing: true,
			isSent,
			hasEnote,
		};
		return resultOf(begun, [step('transaction', 'found')], {
			note: parsed.note,
			counted: isSent ? 'already sent' : 'found',
			isFound: true,
		});
	};
	return {
		key: 'create',
		name: 'Transaction',
		params: call.params,
		prepare: async () => await Promise.resolve(execute),
		ifLost: {
			lookUp: async (now) => mapSeen(await lookUpCreate(now, parsed), created),
			...createToCheck(() => parsed.body.external_id),
		},
	};
}

/**
 * Makes sure that the ID of a create's answer leads to what was created, so that no document gets into
 * another transaction. If it shows that it doesn't, the transaction is looked up by its reference.
 * @throws ServiceFailure with `flags.unknownOutcome` when the service shows nothing or another one
 */
async function requireOwn({ service }: OperationCall, plan: Plan, id: string): Promise<void> {
	const { platform, key } = plan;
	try {
		const shown = await retrieveTransaction(service, id, platform, true);
		if ((asText(shown[key.field]) ?? key.value) === key.value && sameId(shown.id, id)) return;
	} catch (thrown) {
		// Anything else says nothing against it.
		if (!isNotFound(thrown)) return;
	}
	throw new ServiceFailure({ code: 'notShown', said: [] }, { unknownOutcome: true });
}

/** Adds a document, unless it's there. */
function add({ platform }: Plan, document: PlannedDocument): StepWrite {
	const { file, fields, content, rule } = document;
	const inCall = ({ params }: OperationCall) => ({
		transactionId: params.requiredLocator('transactionId'),
		platform,
		fields,
	});
	const what = `document '${file}'`;
	const added = (
		call: OperationCall,
		{ id, document_name: name }: TransactionAnswer | IDataObject,
	) =>
		resultOf(
			{ documents: [{ document_id: id, document_name: name ?? fields.filename, file, rule }] },
			[step(what)],
			{ hint: joined([document.hint, referenceHint(call)]) },
		);
	return {
		async write(call, { transaction_id: id, isSent, there, replaced }) {
			if (isSent) return resultOf({}, []);
			const own = referenceOf(id, document);
			if (there[own] !== undefined) return resultOf({}, [step(what, 'found')], { isFound: true });
			for (const documentId of replaced[own] ?? []) {
				const place = { transactionId: id, documentId };
				await write(
					call.service,
					async () => await call.service.json('deleteDocument', { path: place, platform }),
					removedGoal(call.service, { ...place, platform }),
				);
			}
			const reference = { isWanted: true, own };
			return added(call, await sendNewDocument(call, inCall(call), content, reference));
		},
		ifLost: {
			async lookUp(call) {
				// What was lost is the deletion before it, which can be done again.
				if (call.sending.get() === undefined) return notDone({ still: 'missing' });
				const seen = await goalOfNew(call, inCall(call)).fromService();
				return mapSeen(seen, (shown) => added(call, shown));
			},
			...documentByReference(() => fields.tracking_id),
		},
	};
}

/** Adds the eNote, unless the closing shows one. */
function addEnote(enote: object): StepWrite {
	const added = () => resultOf({}, [step('eNote')]);
	return {
		async write(call, { transaction_id: id, isSent, hasEnote }) {
			if (isSent) return resultOf({}, []);
			if (hasEnote) return resultOf({}, [step('eNote', 'found')], { isFound: true });
			await sendEnote(call, id, enote);
			return added();
		},
		ifLost: {
			async lookUp(call) {
				const id = call.params.requiredLocator('transactionId');
				return mapSeen(await enoteAddedGoal(call.service, id, lookUpOf(call)).fromService(), added);
			},
			toCheck: inTransaction('whether the closing has the new eNote'),
			canTell: () => true,
		},
	};
}

/** Does what the item wants once everything is in the draft. */
function end(plan: Plan): StepWrite {
	const { platform, then, sendOptions, limitMs } = plan;
	const targetOf = ({ params }: OperationCall) => ({
		transactionId: params.requiredLocator('transactionId'),
		platform,
	});
	const shown = (call: OperationCall, transaction: TransactionAnswer, steps: Step[], more = {}) => {
		const { json, hint } = withSigningLinks(
			{ json: transactionJson(call.params, transaction) },
			transaction,
			call.params,
		);
		return resultOf({ shown: json, ...more }, steps, { hint });
	};
	return {
		async write(call, { isSent }) {
			const { service, context } = call;
			const target = targetOf(call);
			if (isSent || then === 'draft')
				return shown(call, await retrieveTransaction(service, target.transactionId, platform), []);
			const skipsClosingTeam = sendOptions.skip_closing_ops === true;
			const draft = await waitForDocuments(service, target, {
				limitMs,
				signal: context.getExecutionCancelSignal(),
				check(now) {
					if (then === 'send')
						requireComplete({ ...shownFacts(call, now, platform), skipsClosingTeam });
				},
			});
			if (!isStillDraft(draft)) return shown(call, draft, [step('send', 'found')]);
			const steps = [step('documents processed'), step('check')];
			if (then === 'send')
				return {
					...shown(call, await sendDraft(service, target, sendOptions), [...steps, step('send')]),
					counted: 'sent',
				};
			const facts = { ...(await allFacts(call, draft, target)), skipsClosingTeam };
			return shown(call, draft, steps, { check: toSummary(draft, findingsOf(facts)) });
		},
		ifLost: {
			async lookUp(call) {
				const goal = phaseGoal(call.service, 'sendTransaction', targetOf(call));
				return mapSeen(await goal.fromService(), (now) => shown(call, now, [step('send')]));
			},
			toCheck: inTransaction('whether the transaction is sent'),
			canTell: () => true,
		},
	};
}

/** One output of all steps. */
function join({ leftOut }: Plan, results: OperationResult[]): OperationResult {
	const { transaction_id: id, existing } = begunIn(results)!;
	const { shown, check } = results[results.length - 1].json as IDataObject;
	const all = (field: string) =>
		results.flatMap(({ json }) => (json[field] as IDataObject[] | undefined) ?? []);
	const left =
		leftOut.length > 0 ? `No rule names ${leftOut.join(', ')}, so they were left out` : undefined;
	return {
		json: {
			transaction_id: id,
			existing,
			...(shown as IDataObject),
			...(check !== undefined && { check }),
			steps: all('steps'),
			documents_added: all('documents'),
			files_left_out: leftOut,
		},
		hint: joined([...new Set(results.map(({ hint }) => hint)), left]),
		note: results[0].note,
		counted: results
			.map(({ counted }) => counted)
			.filter(Boolean)
			.at(-1),
	};
}
