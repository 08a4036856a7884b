import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import type {
	CorrectionStands,
	ServiceFailure,
} from '../../../../../nodes/SignAndClose/transport/failure/failure.ts';
import type { StepMemory } from '../../../../../nodes/SignAndClose/run/outcome/goals.ts';
import { NONE } from '../../../../../nodes/SignAndClose/resources/transaction/update/notShown.ts';
import {
	correctSigner,
	lookUpCorrection,
	type Correction,
} from '../../../../../nodes/SignAndClose/resources/transaction/update/signerCorrection.ts';
import { inTurn, noted, thrownBy, withClient } from '../../../../support/live/client.mts';
import type { Answer, Script } from '../../../../support/live/service.mts';

/** What a correction of a signer sends, when it refuses, and how a doubtful one is judged. */

const JANE = { signer_id: 'oc_1', external_id: 'borrower-1', email: 'jane@example.com' };
const JOE = { signer_id: 'oc_2', external_id: 'borrower-2', email: 'joe@example.com' };
const RIGHT = { email: 'right@example.com' };
const DRAFT = { status: 'started', detailed_status: 'draft' };
const RECALLED = { status: 'started', detailed_status: 'recalled' };
const SENT = { status: 'sent', detailed_status: 'sent_to_signer' };
const closing = (...more: IDataObject[]): IDataObject =>
	Object.assign({ id: 'ot_1', documents: [], signers: [JANE, JOE] }, SENT, ...more);
const CORRECTED = { signers: [{ ...JANE, ...RIGHT }, JOE] };
const correction = (more: Partial<Correction> = {}): Correction => ({
	transactionId: 'ot_1',
	platform: 'realEstate',
	signer: 'oc_1',
	changes: RIGHT,
	notShown: NONE,
	sendAgain: true,
	...more,
});

/** A service that recalls, changes and sends what it has. */
function serviceOf(start: IDataObject): Script {
	let now = start;
	return ({ method, path, body }) => {
		if (method === 'PUT' || method === 'PATCH') {
			const { signer, signers = [signer] } = body as IDataObject;
			now = { ...now, signers };
		} else if (method === 'POST') now = { ...now, ...(path.endsWith('/recall') ? RECALLED : SENT) };
		return { body: now };
	};
}

/** Corrects a signer there; gives what came of it and the signers as they were sent. */
const correct = async (start: IDataObject, more: Partial<Correction> = {}, memory = noted()) =>
	await withClient(serviceOf(start), async (service, { requests, bodies }) => {
		const { steps, failure } = await correctSigner(service, correction(more), memory).then(
			(corrected) => ({ steps: corrected.steps, failure: undefined }),
			(thrown: unknown) => ({ steps: undefined, failure: thrown }),
		);
		const [put] = bodies('PUT');
		return {
			steps,
			failure,
			sent: (put?.signers ?? (put && [put.signer])) as IDataObject[] | undefined,
			asked: requests.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`),
		};
	});

test('sends the change of one signer, and the others as they were', async () => {
	const signers = [JANE, { ...JOE, first_name: 'Sam' }];
	const { sent, steps, asked } = await correct(closing(DRAFT, { signers }), {
		changes: { first_name: 'Sam' },
	});
	expect(sent).toEqual([
		{ external_id: 'borrower-1', email: 'jane@example.com', first_name: 'Sam' },
		{ external_id: 'borrower-2', email: 'joe@example.com', first_name: 'Sam' },
	]);
	expect(steps).toEqual(['corrected']);
	expect(asked).toEqual(['GET ot_1', 'PUT ot_1']);
});

describe('a signer who shows the correction already', () => {
	test.each<[string, IDataObject, Partial<Correction>]>([
		['found by the ID', closing(CORRECTED), {}],
		['found by the new email address', closing(CORRECTED), { signer: 'jane@example.com' }],
		[
			'found by the new external ID',
			closing(CORRECTED),
			{ signer: 'b1', changes: { ...RIGHT, external_id: 'borrower-1' } },
		],
		[
			'who has completed since',
			closing({ signers: [{ ...JANE, ...RIGHT, signing_status: 'complete' }, JOE] }),
			{},
		],
	])('is left alone: %s', async (_how, start, more) => {
		const { steps, failure, asked } = await correct(start, more);
		expect([failure, steps, asked]).toEqual([undefined, [], ['GET ot_1']]);
	});
	test.each<[string, IDataObject, IDataObject]>([
		['spaces', { first_name: 'Maryann' }, { first_name: 'Mary Ann' }],
		['capitals', { last_name: 'DELACRUZ' }, { last_name: 'DelaCruz' }],
		['underscores', { email: 'jane_doe@example.com' }, { email: 'janedoe@example.com' }],
		[
			'the country of the phone',
			{ phone: { country_code: '1', number: '7700900123' } },
			{ phone_number: '+447700900123', phone: { country_code: '44', number: '7700900123' } },
		],
		['a field that was removed', { middle_name: 'Ann' }, { middle_name: null }],
		['a field that no answer shows', {}, { dob: '1980-05-17' }],
		['a field that the package does not know', {}, { new_field: true }],
	])('is corrected when the correction differs in %s', async (_what, former, changes) => {
		const start = closing({ signers: [{ ...JANE, ...former }, JOE] });
		const { steps, sent } = await correct(start, { changes });
		expect(steps).toEqual(['recalled', 'corrected', 'sent']);
		expect(sent![0]).toMatchObject(changes);
	});
	test('is not another signer', async () => {
		const start = closing({ signers: [JANE, { ...JOE, first_name: 'Sam' }] });
		const { failure } = await correct(start, { signer: 'oc_9', changes: { first_name: 'Sam' } });
		expect(failure).toMatchObject({ reason: { code: 'signerNotInTransaction' } });
	});
	test('by an email address that two signers have is neither of them', async () => {
		const start = closing({ signers: [JANE, { ...JOE, email: 'Jane@example.com' }] });
		const { failure, asked } = await correct(start, { signer: 'jane@example.com' });
		expect(failure).toMatchObject({
			reason: {
				code: 'signerAmbiguous',
				present: ['jane@example.com', 'Jane@example.com'],
			},
		});
		expect(asked).toEqual(['GET ot_1']);
	});
});

describe('a correction is refused', () => {
	const refused = async (...parts: Parameters<typeof correct>) => {
		const { failure, asked } = await correct(...parts);
		expect(asked).toEqual(['GET ot_1']);
		return failure;
	};
	const COMPLETE = { signing_status: 'complete' };

	test.each<[string, IDataObject, unknown]>([
		['is expired', { status: 'expired', detailed_status: null }, 'expired'],
		['is completed', { status: 'completed', detailed_status: 'complete' }, 'completed'],
		[
			'has been completed by somebody',
			{ signers: [JANE, { ...JOE, ...COMPLETE, first_name: 'Joe' }] },
			{ signer: 'Joe · joe@example.com' },
		],
		[
			'is expired, although somebody has completed',
			{ status: 'expired', detailed_status: null, signers: [JANE, { ...JOE, ...COMPLETE }] },
			'expired',
		],
	])('once the transaction %s', async (_how, more, because) => {
		expect(await refused(closing(more))).toMatchObject({
			reason: { code: 'signersAreFinal', because },
			flags: { final: true },
		});
	});
	test.each<[string, IDataObject, Partial<Correction>, unknown]>([
		['settings are not shown', {}, { notShown: 'ask' }, { code: 'settingsNotShown' }],
		[
			'one of three has no email address',
			{ signers: [JANE, JOE, { first_name: 'Sam' }] },
			{},
			{ code: 'signerNotWritable', signer: 'Sam' },
		],
		[
			'its signers are null',
			{ signers: null },
			{},
			{ code: 'signerNotInTransaction', present: [] },
		],
		[
			'its documents are not shown',
			{ documents: undefined },
			{},
			{ code: 'incompletelyRead', missing: ['documents'] },
		],
	])('before the recall, when %s', async (_when, start, more, reason) => {
		for (const platform of ['business', 'realEstate'] as const)
			expect(await refused(closing(start), { ...more, platform })).toMatchObject({
				reason,
				flags: { final: true },
			});
	});
	test('where nobody knows how far the transaction is', async () => {
		const unknown = { status: 'new_word', detailed_status: 'new_word' };
		expect(await refused(closing(unknown))).toMatchObject({ reason: { code: 'unexpectedAnswer' } });
	});
	test('for somebody who does not sign, with those who do', async () => {
		expect(await refused(closing(), { signer: 'oc_9' })).toMatchObject({
			reason: {
				code: 'signerNotInTransaction',
				signer: 'oc_9',
				present: ['jane@example.com', 'joe@example.com'],
			},
			flags: { final: true },
		});
	});
	test('as the service refuses the transaction, without steps that nobody did', async () => {
		await withClient(
			() => ({ status: 404, body: { errors: ['Transaction Not Found'] } }),
			async (service) => {
				const failure = await thrownBy(correctSigner(service, correction(), noted()));
				expect(failure).toMatchObject({ reason: { code: 'refused', status: 404 } });
			},
		);
	});
	test('when n8n cannot note a step, with the reason as it is', async () => {
		const failure = new Error('Out of memory');
		const memory = {
			all: () => [],
			add: () => {
				throw failure;
			},
		};
		expect((await correct(closing(DRAFT), {}, memory)).failure).toBe(failure);
	});

	const designated = (...designations: IDataObject[]) => ({
		documents: [
			{ id: 'do_1', document_name: 'Deed', signing_designations: designations },
			{ id: 'do_2', signing_designations: designations },
			{ id: 'do_3', document_name: 'Note', signing_designations: [] },
		],
	});
	const NEW_ID = { changes: { external_id: 'borrower-9' } };
	test.each<[string, IDataObject]>([
		['name the signer', { signer_identifier: 'borrower-1' }],
		['do not say whose they are', { id: 'de_1' }],
	])('when it would change an external ID, while designations %s', async (_what, designation) => {
		expect(await refused(closing(DRAFT, designated(designation)), NEW_ID)).toMatchObject({
			reason: { code: 'externalIdInUse', externalId: 'borrower-1', documents: ['Deed', 'do_2'] },
			flags: { final: true },
		});
	});
	test.each<[string, IDataObject, IDataObject, Partial<Correction>]>([
		['another signer is named', { signer_identifier: 'borrower-2' }, JANE, NEW_ID],
		['the external ID stays', { signer_identifier: 'borrower-1' }, JANE, {}],
		[
			'the same external ID is given',
			{ signer_identifier: 'borrower-1' },
			JANE,
			{ changes: { ...RIGHT, external_id: 'borrower-1' } },
		],
		['there was none', { id: 'de_1' }, { signer_id: 'oc_1', email: 'jane@example.com' }, NEW_ID],
	])('but not because of designations, when %s', async (_when, designation, signer, more) => {
		const start = closing(DRAFT, designated(designation), { signers: [signer, JOE] });
		const { steps } = await correct(start, more);
		expect(steps).toEqual(['corrected']);
	});
});

/** What can go wrong with a write. */
interface Fault {
	/** Whether it's done all the same. */
	isDone: boolean;
	answer: Answer;
	/** Whether reads fail after it. */
	isBlind?: boolean;
	/** Whether the correction can't go on. */
	stops: boolean;
}

const LOST: Answer = { status: 502, body: 'Bad gateway' };
const COMPLAINT: Answer = { body: { errors: ['Feature switched off'] } };
const FAULTS: Record<string, Fault> = {
	'is refused': { isDone: false, answer: { status: 422, body: { errors: ['No'] } }, stops: true },
	'has no effect, and its answer is lost': { isDone: false, answer: LOST, stops: true },
	'is done, and its answer is lost': { isDone: true, answer: LOST, stops: false },
	'has no effect and an error in a success': { isDone: false, answer: COMPLAINT, stops: true },
	'is done with an error in a success': { isDone: true, answer: COMPLAINT, stops: false },
	'has no effect, and nothing can be seen': {
		isDone: false,
		answer: LOST,
		isBlind: true,
		stops: true,
	},
	'is done, and nothing can be seen': { isDone: true, answer: LOST, isBlind: true, stops: true },
	'is done with an error, and nothing can be seen': {
		isDone: true,
		answer: COMPLAINT,
		isBlind: true,
		stops: true,
	},
};
type Step = 'recall' | 'change' | 'send';

/** A service that is strict about states, and has each of these faults once. */
class Strict {
	isBlind = false;
	constructor(
		public now: IDataObject,
		private readonly faults: Partial<Record<Step, Fault>> = {},
	) {}

	get isDraft(): boolean {
		return this.now.status === 'started';
	}

	get isCorrected(): boolean {
		return (this.now.signers as IDataObject[])[0].email === RIGHT.email;
	}

	readonly script: Script = ({ method, path, body }) => {
		if (method === 'GET')
			return this.isBlind ? { status: 400, body: { errors: ['Not now'] } } : { body: this.now };
		const step = method !== 'POST' ? 'change' : path.endsWith('/recall') ? 'recall' : 'send';
		const fault = this.faults[step];
		this.faults[step] = undefined;
		if (this.isDraft === (step === 'recall')) return { status: 422, body: { errors: [step] } };
		if (fault?.isDone !== false) this.do(step, body as IDataObject);
		this.isBlind = fault?.isBlind === true;
		return fault?.answer ?? { body: this.now };
	};

	private do(step: Step, { signer, signers = [signer] }: IDataObject): void {
		// Where a service keeps the IDs of signers, nobody says.
		if (step === 'change') this.now = { ...this.now, signers };
		else this.now = { ...this.now, ...(step === 'recall' ? RECALLED : SENT) };
	}
}

/** What has to be so where a correction is said to stand. */
const TRUTHS: Record<CorrectionStands, (service: Strict) => boolean> = {
	recalling: ({ isCorrected }) => !isCorrected,
	recalled: ({ isDraft, isCorrected }) => isDraft && !isCorrected,
	correcting: ({ isDraft }) => isDraft,
	corrected: ({ isDraft, isCorrected }) => isDraft && isCorrected,
	sending: ({ isCorrected }) => isCorrected,
	restored: ({ isDraft, isCorrected }) => !isDraft && !isCorrected,
	restoring: ({ isCorrected }) => !isCorrected,
};

describe.each(['business', 'realEstate'] as const)('a correction on %s', (platform) => {
	/** Corrects there; gives what was thrown, or the steps. */
	const run = async (strict: Strict, memory = noted(), more: Partial<Correction> = {}) =>
		await withClient(
			strict.script,
			async (service) =>
				await correctSigner(
					service,
					correction({ platform, signer: 'borrower-1', ...more }),
					memory,
				).then(
					({ steps }) => ({ steps, failure: undefined }),
					(thrown: unknown) => ({ steps: undefined, failure: thrown as ServiceFailure }),
				),
		);
	/** Looks a correction up in the same way. */
	const seenOf = async (strict: Strict, memory: StepMemory, more: Partial<Correction>) =>
		await withClient(
			strict.script,
			async (service) =>
				await lookUpCorrection(
					service,
					correction({ platform, signer: 'borrower-1', ...more }),
					memory,
				),
		);
	const standsOf = ({ reason }: ServiceFailure) =>
		reason.code === 'correctionInterrupted' ? reason.stands : undefined;

	describe.each([true, false])('to be sent again: %j', (sendAgain) => {
		const steps: Step[] = sendAgain ? ['recall', 'change', 'send'] : ['recall', 'change'];
		const ALL = sendAgain ? ['recalled', 'corrected', 'sent'] : ['recalled', 'corrected'];
		const places: Array<[Partial<Record<Step, string>>]> = steps.flatMap((step) =>
			Object.keys(FAULTS).map((how): [Partial<Record<Step, string>>] => [{ [step]: how }]),
		);
		if (sendAgain)
			for (const how of Object.keys(FAULTS)) places.push([{ change: 'is refused', send: how }]);

		test.each(places)('while %j', async (planted) => {
			const faults = Object.fromEntries(
				Object.entries(planted).map(([step, how]) => [step, FAULTS[how]]),
			);
			const stops = Object.values(faults).some((fault) => fault.stops);
			for (const again of ['a look and a try', 'a try', 'a run'] as const) {
				const strict = new Strict(closing(), { ...faults });
				const memory = noted();
				const first = await run(strict, memory, { sendAgain });
				if (!stops) {
					expect(first).toEqual({ steps: ALL, failure: undefined });
					break;
				}
				const stands = standsOf(first.failure!);
				// Without a word about it, the transaction has to be as it was.
				const isTrue = stands ? TRUTHS[stands] : () => !strict.isDraft && !strict.isCorrected;
				expect([stands, isTrue(strict)]).toEqual([stands, true]);
				const isDoubted = /ing$/.test(stands ?? '');
				const isBlind = Object.values(faults).some((fault) => fault.isBlind);
				expect(isDoubted).toBe(isBlind);
				strict.isBlind = false;
				if (again === 'a look and a try') {
					const seen = await seenOf(strict, memory, { sendAgain });
					const isReached = strict.isCorrected && strict.isDraft === !sendAgain;
					expect(seen.state).toBe(isReached ? 'done' : 'notDone');
					if (seen.state === 'notDone') {
						expect(seen.why).toEqual({ still: strict.isDraft ? 'draft' : 'sent' });
						const expected = strict.isDraft
							? [strict.isCorrected ? 'corrected' : 'recalled']
							: [undefined];
						expect(expected).toContain(seen.stands);
					}
				}
				const second = await run(strict, again === 'a run' ? noted() : memory, { sendAgain });
				expect(second.failure).toBeUndefined();
				if (again !== 'a run') expect(second.steps).toEqual(ALL);
				expect([strict.isCorrected, strict.isDraft]).toEqual([true, !sendAgain]);
			}
		});
	});

	test.each(Object.entries(FAULTS))(
		'of a draft that %s is a plain failure',
		async (_how, fault) => {
			const strict = new Strict(closing(DRAFT), { change: fault });
			const memory = noted();
			const { failure, steps } = await run(strict, memory);
			expect(failure === undefined).toBe(!fault.stops);
			if (failure === undefined) expect(steps).toEqual(['corrected']);
			else expect(failure.reason.code).not.toBe('correctionInterrupted');
			strict.isBlind = false;
			const again = await run(strict, memory);
			expect(again.failure).toBeUndefined();
			expect([strict.isCorrected, strict.isDraft]).toEqual([true, true]);
		},
	);

	test.each<[string, CorrectionStands]>([
		['is refused', 'corrected'],
		['is done, and nothing can be seen', 'sending'],
	])('that an earlier run has begun, when its sending %s', async (how, stands) => {
		const strict = new Strict(closing(RECALLED), { send: FAULTS[how] });
		const memory = noted();
		const { failure } = await run(strict, memory);
		expect(standsOf(failure!)).toBe(stands);
		strict.isBlind = false;
		// Not every answer says that a draft was recalled.
		if (strict.isDraft) strict.now = { ...strict.now, detailed_status: 'draft' };
		expect(await run(strict, memory)).toEqual({ steps: ['corrected', 'sent'], failure: undefined });
		expect(strict.isDraft).toBe(false);
	});

	test.each<[string, IDataObject]>([
		[
			'and somebody has signed',
			{ signers: [{ ...JANE, ...RIGHT, signing_status: 'complete' }, JOE] },
		],
		[
			'and everybody has signed',
			{ ...CORRECTED, status: 'completed', detailed_status: 'complete' },
		],
	])('is done when its sending was in doubt %s since', async (_what, since) => {
		const strict = new Strict(closing(), { send: FAULTS['is done, and nothing can be seen'] });
		const memory = noted();
		await run(strict, memory);
		Object.assign(strict, { isBlind: false, now: closing(since) });
		expect((await run(strict, memory)).steps).toEqual(['recalled', 'corrected', 'sent']);
		expect(await seenOf(strict, memory, {})).toMatchObject({ state: 'done' });
	});
});

test('a correction that was sent and fails afterwards says nothing of a recall', async () => {
	const memory = noted('recalling', 'recalled', 'correcting', 'corrected', 'sending', 'sent');
	const shown = closing({ signers: [{ ...JANE, signing_status: 'complete' }, JOE] });
	await withClient(
		() => ({ status: 400, body: { errors: ['Not now'] } }),
		async (service) => {
			expect(await thrownBy(correctSigner(service, correction(), memory))).toMatchObject({
				reason: { code: 'refused' },
			});
		},
	);
	expect((await correct(shown, {}, memory)).failure).toBeUndefined();
});

test('a correction that was canceled within a step is thrown as it is, and is told by the next try', async () => {
	const memory = noted();
	const canceled = new Error('The execution was canceled');
	const add = (step: string) => {
		memory.add(step);
		if (step === 'recalled') throw canceled;
	};
	const first = await correct(closing(), {}, { all: () => memory.all(), add });
	expect(first.failure).toBe(canceled);
	await withClient(
		() => ({ status: 400, body: { errors: ['Not now'] } }),
		async (service) => {
			expect(await thrownBy(correctSigner(service, correction(), memory))).toMatchObject({
				reason: { code: 'correctionInterrupted', stands: 'recalled' },
			});
		},
	);
});

test.each<[string, IDataObject, Partial<Correction>, string[], unknown]>([
	['sent still, and wrong', closing(), {}, [], { why: { still: 'sent' } }],
	['corrected and never sent', closing(DRAFT, CORRECTED), {}, [], { state: 'done' }],
	['wrong and never sent', closing(DRAFT), {}, [], { why: { still: 'draft' } }],
	[
		'recalled by somebody else, and corrected',
		closing(RECALLED, CORRECTED),
		{},
		[],
		{ why: { still: 'draft' } },
	],
	[
		'in a state that is not known',
		closing(CORRECTED, { status: '?', detailed_status: '?' }),
		{},
		['recalling'],
		{ state: 'unknown' },
	],
])('a doubtful correction finds the transaction %s', async (_how, start, more, steps, expected) => {
	await withClient(inTurn(start), async (service) => {
		const seen = await lookUpCorrection(service, correction(more), noted(...steps));
		expect(seen).toMatchObject(expected as IDataObject);
		expect(seen).not.toHaveProperty('stands');
	});
});
