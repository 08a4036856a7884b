import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import {
	correctSigner,
	lookUpCorrection,
	type Correction,
} from '../../../../../nodes/SignAndClose/service/resources/drafts/signerCorrection.ts';
import { inTurn, noted, thrownBy, withClient } from '../../../../support/live/client.mts';
import type { Script } from '../../../../support/live/service.mts';

/** What a correction of a signer sends, when it refuses, and how a doubtful one is judged. */

const JANE = { signer_id: 'oc_1', external_id: 'borrower-1', email: 'jane@example.com' };
const JOE = { signer_id: 'oc_2', external_id: 'borrower-2', email: 'joe@example.com' };
const RIGHT = { email: 'right@example.com' };
const DRAFT = { status: 'started', detailed_status: 'draft' };
const RECALLED = { status: 'started', detailed_status: 'recalled' };
const SENT = { status: 'sent', detailed_status: 'sent_to_signer' };
const closing = (...more: IDataObject[]): IDataObject =>
	Object.assign(
		{ id: 'ot_1', street_address: { line1: '1 Main Street' }, documents: [], signers: [JANE, JOE] },
		SENT,
		...more,
	);
const CORRECTED = { signers: [{ ...JANE, ...RIGHT }, JOE] };
const correction = (more: Partial<Correction> = {}): Correction => ({
	transactionId: 'ot_1',
	platform: 'realEstate',
	signer: 'oc_1',
	changes: RIGHT,
	sendAgain: true,
	...more,
});

/** A service that recalls, changes and sends what it has. */
function serviceOf(start: IDataObject): Script {
	let now = start;
	return ({ method, path, body }) => {
		if (method === 'PUT') {
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

describe('what is sent of the signers', () => {
	const joe = { external_id: 'borrower-2', email: 'joe@example.com' };
	const changed = async (signer: IDataObject, changes: IDataObject) => {
		const { sent } = await correct(closing(DRAFT, { signers: [{ ...JANE, ...signer }, JOE] }), {
			changes,
		});
		return sent;
	};
	const jane = { external_id: 'borrower-1', ...RIGHT };
	const phone = { country_code: '44', number: '7700900123' };

	test('is the change, and all else as it was', async () => {
		expect(await changed({ phone }, RIGHT)).toEqual([{ ...jane, phone }, joe]);
		expect(await changed({}, RIGHT)).toEqual([jane, joe]);
	});
	test('is also the change that another signer shows already', async () => {
		const signers = [JANE, { ...JOE, first_name: 'Sam' }];
		const { sent } = await correct(closing(DRAFT, { signers }), { changes: { first_name: 'Sam' } });
		expect(sent).toMatchObject([
			{ email: 'jane@example.com', first_name: 'Sam' },
			{ email: 'joe@example.com', first_name: 'Sam' },
		]);
	});
	test('is an address with the parts that do not change', async () => {
		const [address, changes] = [{ line1: 'A', city: 'B' }, { address: { line1: 'C' } }];
		expect((await changed({ address }, changes))![0].address).toEqual({ line1: 'C', city: 'B' });
		expect((await changed({}, changes))![0].address).toEqual({ line1: 'C' });
	});
	test.each<[string, IDataObject, IDataObject, unknown]>([
		[
			'keeps its country',
			{ phone },
			{ phone_number: '7700900124' },
			{ country_code: '44', number: '7700900124' },
		],
		['has no country, where there was none', {}, { phone_number: '6175550124' }, undefined],
		[
			'has the country that was given with it',
			{ phone },
			{ phone_number: '6175550124', phone: { country_code: '1', number: '6175550124' } },
			{ country_code: '1', number: '6175550124' },
		],
	])('a number %s', async (_how, signer, changes, expected) => {
		expect((await changed(signer, changes))![0].phone).toEqual(expected);
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

describe('a correction in doubt', () => {
	const judged = async (
		start: IDataObject,
		{ sendAgain, steps = [] }: { sendAgain?: boolean; steps?: string[] } = {},
	) =>
		await withClient(inTurn(start), async (service) => {
			const seen = await lookUpCorrection(
				service,
				correction({ ...(sendAgain !== undefined && { sendAgain }) }),
				noted(...steps),
			);
			return seen.state === 'done' ? { state: 'done', steps: seen.shown.steps } : seen;
		});
	const still = (phase: 'draft' | 'sent', ...steps: string[]) => ({
		state: 'notDone',
		why: { still: phase },
		...(steps.length > 0 && { steps }),
	});
	const ALL = ['wasSent', 'recalled', 'corrected', 'sent'];

	test.each<[string, IDataObject, Parameters<typeof judged>[1], unknown]>([
		[
			'sent again and corrected',
			closing(CORRECTED),
			{ steps: ALL },
			{ state: 'done', steps: ['recalled', 'corrected', 'sent'] },
		],
		['sent still, and wrong', closing(), {}, still('sent')],
		['sent still, and wrong, not to be sent again', closing(), { sendAgain: false }, still('sent')],
		['corrected and never sent', closing(DRAFT, CORRECTED), {}, { state: 'done', steps: [] }],
		['wrong and never sent', closing(DRAFT), {}, still('draft')],
		[
			'recalled and corrected, to be sent again',
			closing(DRAFT, CORRECTED),
			{ steps: ['wasSent'] },
			still('draft', 'recalled', 'corrected'),
		],
		[
			'recalled and corrected, not to be sent again',
			closing(RECALLED, CORRECTED),
			{ sendAgain: false, steps: ['wasSent', 'recalled'] },
			{ state: 'done', steps: ['recalled'] },
		],
		[
			'recalled, which no answer confirmed',
			closing(DRAFT),
			{ steps: ['wasSent'] },
			still('draft', 'recalled'),
		],
		['recalled by somebody else', closing(RECALLED, CORRECTED), {}, still('draft')],
		[
			'in a state that is not known',
			closing({ status: '?', detailed_status: '?' }),
			{},
			{ state: 'unknown' },
		],
		[
			'corrected, in a state that is not known',
			closing(CORRECTED, { status: '?', detailed_status: '?' }),
			{},
			{ state: 'unknown' },
		],
	])('finds the transaction %s', async (_how, start, options, expected) => {
		expect(await judged(start, options)).toEqual(expected);
	});
});
