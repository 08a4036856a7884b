import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { listEventsOfGroup } from '../../../nodes/SignAndClose/resources/webhook/events.ts';
import { addDeed, draft, on, sent } from '../messages/person.mts';
import { CLOSING, createClosing, id, toForm } from '../../support/closing.mts';
import { attempt, run, sendClosing, transaction } from '../../support/operations.mts';
import { allKept, kept, newLoan, send } from '../../support/runAgain.mts';
import { until } from '../../support/until.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** The example Needs attention: each of its remedies is possible, and is followed to the letter. */

useSandbox();

const DAY_MS = 86_400_000;
const IDENTITY = 'transaction.transaction.automated_identity_verification_by_idv_service_failed';
const COPY = "'Transaction: Copy'";
const CREATE_ANOTHER = "'Transaction: Create Closing', and set 'If It Exists' to Create Another";

/** What the example says for each event. */
const ADVICE = JSON.parse(
	/\((\{.*\})\)\[\$json\.event\]/.exec(
		(
			JSON.parse(
				readFileSync(new URL('../../../examples/needs-attention.json', import.meta.url), 'utf8'),
			) as { nodes: Array<{ name: string; parameters: any }> }
		).nodes.find(({ name }) => name === 'What to do next')!.parameters.assignments.assignments[0]
			.value as string,
	)![1],
) as Record<string, string>;

/** A closing that was sent, and what it becomes. */
interface Play {
	/** How the sandbox brings the event about. */
	brings: () => Promise<string>;
	/** What the remedy has to name. */
	reads: string[];
	follows: (closing: string) => Promise<void>;
}

const act = async (name: keyof typeof sandbox.act, closing: string) =>
	await (sandbox.act[name] as (id: string) => Promise<void>)(closing);
/** A closing of Create and Send that has come to its end. */
const endedBy = (name: 'decline' | 'expire' | 'cancel') => async () => {
	newLoan();
	await send({});
	await act(name, kept().id);
	return kept().id;
};
/** A copy is made and sent, although the loan number is known. */
const startOver =
	(more: IDataObject = {}) =>
	async (closing: string) => {
		expect((await attempt(sendClosing(id(closing)))).error).toBeDefined();
		const copying = { settingsNotShown: 'consent', additionalFields: more };
		const { json } = await run(on(closing, 'copy', { ...copying, copyFilesUnproven: true }));
		expect(json).toMatchObject({ loan_number: transaction(closing).fields.loan_number });
		await run(sendClosing(id(String(json.transaction_id))));
		expect([allKept().length, transaction(json.transaction_id).status]).toEqual([2, 'sent']);
	};
/** Another closing of the same loan. */
async function makeAnother(closing: string): Promise<void> {
	const before = sandbox.world.transactions.size;
	const { json } = await run({ ...CLOSING, ifExists: 'another' });
	expect(json.transaction_id).not.toBe(closing);
	expect(sandbox.world.transactions.size).toBe(before + 1);
}
const isPossible = async (name: keyof typeof sandbox.act, closing: string) =>
	await act(name, closing).then(
		() => true,
		() => false,
	);

const PLAYS: Record<string, Play> = {
	'transaction.declined': {
		brings: endedBy('decline'),
		reads: [COPY],
		follows: startOver(),
	},
	'transaction.expired': {
		brings: endedBy('expire'),
		reads: [COPY, "a later 'Expiration'"],
		follows: startOver({ expiry: '2099-12-31T00:00:00Z' }),
	},
	'transaction.canceled': {
		brings: endedBy('cancel'),
		reads: [COPY],
		follows: startOver(),
	},
	'transaction.completed_with_rejections': {
		async brings() {
			const closing = await sent();
			await act('reject', closing);
			return closing;
		},
		reads: ["rejection_reason of 'Document: Get Many'", CREATE_ANOTHER],
		async follows(closing) {
			const { items } = await run({
				resource: 'document',
				operation: 'getAll',
				platform: 'realEstate',
				returnAll: true,
				transactionId: id(closing),
			});
			const reasons = items.map(({ json }) => json.rejection_reason);
			expect(reasons).toContain('The name on the document is not correct');
			await makeAnother(closing);
		},
	},
	'transaction.signer.kba_failed': {
		async brings() {
			const closing = await createClosing(credential(), {
				signers: {
					row: [
						{ ...(CLOSING.signers as any).row[0], identityChecks: ['knowledge', 'selfie', 'sms'] },
					],
				},
				...toForm({ paper_note_consent: true }),
			});
			await addDeed(closing, { requirement: 'esign' });
			await run(sendClosing(id(closing)));
			for (const step of ['failKnowledge', 'failKnowledge'] as const) await act(step, closing);
			return closing;
		},
		reads: ['locked for 24 hours', 'Move the appointment', "'Transaction: Resend Email'"],
		async follows(closing) {
			expect(await isPossible('sign', closing)).toBe(false);
			await sandbox.clock.advance(DAY_MS);
			await run(on(closing, 'resendEmail'));
			expect(await isPossible('sign', closing)).toBe(true);
		},
	},
	'transaction.signer.high_risk_detected': {
		async brings() {
			const closing = await sent();
			await act('detectHighRisk', closing);
			return closing;
		},
		reads: ['Call the signer', "'Transaction: Recall'"],
		async follows(closing) {
			await run(on(closing, 'recall', { evenIfSent: true }));
			expect(transaction(closing).detailedStatus).toBe('recalled');
		},
	},
	'transaction.meeting.failed': {
		async brings() {
			const closing = await sent();
			for (const step of ['sign', 'failMeeting'] as const) await act(step, closing);
			return closing;
		},
		reads: ['start another meeting', "can't be recalled"],
		async follows(closing) {
			expect((await attempt(on(closing, 'recall', { evenIfSent: true }))).error).toBeDefined();
			await act('notarize', closing);
			expect(transaction(closing).status).toBe('completed');
		},
	},
	'transaction.held_for_review': {
		async brings() {
			const closing = await sent();
			await act('holdForReview', closing);
			return closing;
		},
		reads: ['Wait', 'goes on by itself'],
		async follows(closing) {
			expect(await isPossible('sign', closing)).toBe(false);
			await act('review', closing);
			expect(await isPossible('sign', closing)).toBe(true);
		},
	},
	[IDENTITY]: {
		async brings() {
			const closing = await draft();
			await addDeed(closing, { requirement: 'identity_confirmation' });
			await run(sendClosing(id(closing)));
			await act('failIdentity', closing);
			return closing;
		},
		reads: ['another photo ID', CREATE_ANOTHER],
		follows: makeAnother,
	},
	'transaction.underwriter.not_available': {
		async brings() {
			sandbox.world.settings.closingTeam = 'manual';
			const closing = await sent();
			await act('reportNoUnderwriter', closing);
			return closing;
		},
		reads: [
			"'Transaction: Recall'",
			"'Title Underwriter' with 'Transaction: Update'",
			"'Transaction: Send'",
		],
		async follows(closing) {
			await run(on(closing, 'recall', { evenIfSent: true }));
			const titleUnderwriterId = id('or_underwriter_summit');
			const changes = { titleUnderwriterId };
			await run(on(closing, 'update', { updateFields: changes, settingsNotShown: 'none' }));
			await run(sendClosing(id(closing)));
			expect(transaction(closing)).toMatchObject({
				detailedStatus: 'order_placed',
				fields: { title_underwriter_id: 'or_underwriter_summit' },
			});
			sandbox.world.settings.closingTeam = 'automatic';
		},
	},
};

test('each event of the group has one remedy, and each remedy an event', () => {
	const events = listEventsOfGroup('group:attention')!.sort();
	expect([Object.keys(ADVICE).sort(), Object.keys(PLAYS).sort()]).toEqual([events, events]);
});

test.each(Object.entries(PLAYS))('%s: its remedy is possible', async (event, play) => {
	const hook = { url: `${sandbox.url}/samples/nothing`, events: ['*'], additionalFields: {} };
	const { json } = await run({ resource: 'webhook', operation: 'create', ...hook });
	const closing = await play.brings();
	const { events } = [...sandbox.world.webhooks.values()].find(
		({ id: one }) => one === json.webhook_id,
	)!;
	await until(() => events.some((record) => record.event === event));
	for (const words of play.reads) expect(ADVICE[event]).toContain(words);
	await play.follows(closing);
});
