import type { IDataObject } from 'n8n-workflow';

import { NO_HIDDEN_SETTINGS } from '../../../../../nodes/SignAndClose/resources/draft/draftUpdate.ts';
import {
	buildCorrectionGoal,
	runCorrection,
	type SignerCorrection,
} from '../../../../../nodes/SignAndClose/resources/transaction/change/signerCorrection.ts';
import { inTurn, noted, withClient } from '../../../../support/live/client.mts';
import type { Script } from '../../../../support/live/service.mts';
import { AFTER_LOSS } from '../../looks.mts';

/** What a correction of a signer does in each state, when it refuses, and how it is looked up. */

const JANE = { signer_id: 'oc_1', external_id: 'borrower-1', email: 'jane@example.com' };
const JOE = { signer_id: 'oc_2', external_id: 'borrower-2', email: 'joe@example.com' };
const RIGHT = { email: 'right@example.com' };
const DRAFT = { status: 'started', detailed_status: 'draft' };
const RECALLED = { status: 'started', detailed_status: 'recalled' };
const SENT = { status: 'sent', detailed_status: 'sent_to_signer' };
const COMPLETE = { signing_status: 'complete' };
const closing = (...more: IDataObject[]): IDataObject =>
	Object.assign({ id: 'ot_1', documents: [], signers: [JANE, JOE] }, SENT, ...more);
const CORRECTED = { signers: [{ ...JANE, ...RIGHT }, JOE] };
const correction = (
	service: SignerCorrection['service'],
	memory: SignerCorrection['memory'],
	more: Partial<SignerCorrection> = {},
): SignerCorrection => ({
	service,
	memory,
	transactionId: 'ot_1',
	platform: 'realEstate',
	signer: 'oc_1',
	changes: RIGHT,
	notShown: NO_HIDDEN_SETTINGS,
	sendAgain: true,
	...more,
});

/** A service that recalls, changes and sends what it has. */
function serviceOf(start: IDataObject): Script {
	let now = start;
	return ({ method, path, body }) => {
		if (method === 'PUT' || method === 'PATCH')
			now = { ...now, signers: (body as IDataObject).signers };
		else if (method === 'POST') now = { ...now, ...(path.endsWith('/recall') ? RECALLED : SENT) };
		return { body: now };
	};
}

/** Corrects a signer there; gives what came of it and what was asked. */
const correct = async (
	start: IDataObject,
	more: Partial<SignerCorrection> = {},
	memory = noted(),
) =>
	await withClient(serviceOf(start), async (service, { requests, bodies }) => {
		const { steps, failure } = await runCorrection(correction(service, memory, more)).then(
			(corrected) => ({ steps: corrected.steps, failure: undefined }),
			(thrown: unknown) => ({ steps: undefined, failure: thrown }),
		);
		const sent = bodies('PUT')[0]?.signers as IDataObject[] | undefined;
		return { steps, failure, sent, asked: requests.map(({ method }) => method).join(' ') };
	});

test.each<[string, IDataObject, Partial<SignerCorrection>, string[], string]>([
	['a draft', DRAFT, {}, ['corrected'], 'GET PUT'],
	['a sent one', SENT, {}, ['recalled', 'corrected', 'sent'], 'GET POST PUT POST'],
	[
		'one that is not to be sent',
		SENT,
		{ sendAgain: false },
		['recalled', 'corrected'],
		'GET POST PUT',
	],
	['a recalled one', RECALLED, {}, ['corrected', 'sent'], 'GET PUT POST'],
	['a sent one that shows it', CORRECTED, {}, [], 'GET'],
	[
		'one that shows it, and somebody has completed',
		{ signers: [{ ...JANE, ...RIGHT, ...COMPLETE }, JOE] },
		{},
		[],
		'GET',
	],
])('the steps of %s', async (_what, more, options, steps, asked) => {
	const corrected = await correct(closing(more), options);
	expect(corrected).toMatchObject({ steps, asked, failure: undefined });
	if (corrected.sent)
		expect(corrected.sent).toEqual([
			{ external_id: 'borrower-1', ...RIGHT },
			{ external_id: 'borrower-2', email: 'joe@example.com' },
		]);
});

/** The wrong one of the borrower's two closings has the right address already. */
describe.each<[string, string, Partial<SignerCorrection>]>([
	['an address', 'jane@example.com', {}],
	['an address in capitals', 'jane@example.com', { changes: { email: 'Right@Example.com' } }],
	['an external ID', 'borrower-9', { changes: { external_id: 'borrower-1' } }],
])('nobody is the chosen signer, and somebody has %s already', (_what, signer, more) => {
	test.each([SENT, RECALLED, DRAFT])(
		'it is refused and not sent in $detailed_status',
		async (state) => {
			const { failure, asked } = await correct(closing(CORRECTED, state), { signer, ...more });
			const isRecalled = state === RECALLED;
			const present = ['right@example.com'];
			const reason = { code: 'signerCorrectedAlready', signer, present, isRecalled };
			expect(failure).toMatchObject({ reason, flags: { final: true } });
			expect(asked).toBe('GET');
		},
	);
});

/** It may have been recalled on purpose since. */
describe('the chosen signer is corrected already, and the transaction is recalled', () => {
	test('it is refused and not sent', async () => {
		const { failure, asked } = await correct(closing(CORRECTED, RECALLED));
		const reason = {
			code: 'signerCorrectedAlready',
			signer: 'oc_1',
			present: [],
			isRecalled: true,
		};
		expect(failure).toMatchObject({ reason, flags: { final: true } });
		expect(asked).toBe('GET');
	});
	test('nothing is left to do if it is not to be sent', async () => {
		const { steps, asked } = await correct(closing(CORRECTED, RECALLED), { sendAgain: false });
		expect({ steps, asked }).toEqual({ steps: [], asked: 'GET' });
	});
});

test.each(['jane@example.com', 'oc_1'])(
	'%s: a correction that this execution has begun goes on in the middle',
	async (signer) => {
		const memory = noted('recalling', 'recalled', 'correcting');
		expect(await correct(closing(CORRECTED, RECALLED), { signer }, memory)).toMatchObject({
			steps: ['recalled', 'corrected', 'sent'],
			asked: 'GET POST',
		});
	},
);

describe('it is refused before anything is sent', () => {
	test.each<[string, IDataObject, Partial<SignerCorrection>, IDataObject]>([
		['expired', { status: 'expired', detailed_status: null }, {}, { because: 'expired' }],
		['canceled', { detailed_status: 'canceled' }, {}, { because: 'canceled' }],
		['completed', { status: 'completed' }, {}, { because: 'completed' }],
		[
			'completed by somebody',
			{ signers: [JANE, { ...JOE, ...COMPLETE }] },
			{},
			{ because: { signer: 'joe@example.com' } },
		],
		['settings', {}, { notShown: 'ask' }, { code: 'settingsNotShown' }],
		['null signers', { signers: null }, {}, { code: 'signerNotInTransaction', present: [] }],
		['no documents', { documents: undefined }, {}, { code: 'incompletelyRead' }],
		['a stranger', {}, { signer: 'oc_9' }, { code: 'signerNotInTransaction' }],
		[
			'one address of two',
			{ signers: [JANE, { ...JOE, email: 'Jane@example.com' }] },
			{ signer: 'jane@example.com' },
			{ code: 'signerAmbiguous', present: ['jane@example.com', 'Jane@example.com'] },
		],
		['an unknown state', { status: '?', detailed_status: '?' }, {}, { code: 'unexpectedAnswer' }],
	])('%s', async (_why, more, options, reason) => {
		const { failure, asked } = await correct(closing(more), options);
		expect(failure).toMatchObject({ reason });
		expect(asked).toBe('GET');
	});
});

test.each<[string, IDataObject, string[], IDataObject]>([
	['sent still, and wrong', closing(), [], { reason: { still: 'sent' } }],
	['corrected and never sent', closing(DRAFT, CORRECTED), [], { state: 'done' }],
	['wrong and never sent', closing(DRAFT), [], { reason: { still: 'draft' } }],
	[
		'recalled by somebody, and corrected',
		closing(RECALLED, CORRECTED),
		[],
		{ reason: { still: 'draft' } },
	],
	[
		'corrected, and to be sent',
		closing(DRAFT, CORRECTED),
		['recalling', 'recalled', 'correcting'],
		{ reason: { still: 'draft' }, stands: 'corrected' },
	],
	[
		'sent, and everybody has signed',
		closing(CORRECTED, { status: 'completed' }),
		['recalling', 'recalled', 'correcting', 'corrected', 'sending'],
		{ state: 'done' },
	],
])('a look-up finds the transaction %s', async (_how, start, steps, expected) => {
	await withClient(inTurn(start), async (service) => {
		const seen = await buildCorrectionGoal(correction(service, noted(...steps))).look!(AFTER_LOSS);
		expect(seen).toMatchObject(expected);
		expect({ stands: undefined, ...seen }.stands).toBe(expected.stands);
	});
});

test('canceled within a step, it is thrown as it is, and the next try says where it stands', async () => {
	const memory = noted();
	const canceled = new Error('The execution was canceled');
	const add = (step: string) => {
		memory.add(step);
		if (step === 'recalled') throw canceled;
	};
	expect((await correct(closing(), {}, { all: () => memory.all(), add })).failure).toBe(canceled);
	await withClient(
		() => ({ status: 400, body: { errors: ['Not now'] } }),
		async (service) => {
			await expect(runCorrection(correction(service, memory))).rejects.toMatchObject({
				reason: { code: 'correctionInterrupted', progress: 'recalled' },
			});
		},
	);
});
