import {
	withUnknownOutcome,
	ServiceFailure,
} from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import { sendWithReference } from '../../../../nodes/SignAndClose/run/write/reference.ts';
import { isOwnReference } from '../../../../nodes/SignAndClose/values/reference.ts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { sendingMemory } from '../../../support/madeUp/sending.mts';

/** How a request gets a reference of the node's own, by which its work is found. */

const AT = Date.UTC(2026, 10, 22, 6);
const OWN = 'n8n-1b4e28ba-2fa1-41d2-883f-0016d3cca427';

const refusal = (text: string, status = 422) =>
	new ServiceFailure(
		{ code: 'refused', status, purpose: 'write', details: [text], attempts: 1 },
		{ httpStatus: status },
	);

/** Sends with these answers in turn; an error is thrown. */
const send = async (
	answers: unknown[],
	{ fields = {}, isWanted = true, noted = undefined as Parameters<typeof sendingMemory>[0] } = {},
) => {
	const memory = sendingMemory(noted);
	const sent: unknown[] = [];
	/** What was noted when each request left. */
	const known: unknown[] = [];
	const sending = sendWithReference(
		memory,
		'external_id',
		{ fields, isWanted },
		async ({ external_id: reference }) => {
			sent.push(reference);
			known.push(memory.get()?.reference);
			const answer = answers[sent.length - 1];
			if (answer instanceof Error) throw answer;
			return answer;
		},
	);
	const outcome = await sending.catch((thrown: unknown) => thrown);
	return { outcome, sent, known, noted: memory.get() };
};

test('a request has a reference that was noted before it left', async () => {
	const before = Date.now();
	const { outcome, sent, known, noted } = await send(['made']);
	expect(outcome).toBe('made');
	expect(sent.map(isOwnReference)).toEqual([true]);
	expect(known).toEqual(sent);
	expect(noted!.at).toBeGreaterThanOrEqual(before);
});

test("a request has none beside a person's own, where nobody wants it, or where it was refused", async () => {
	await forEachCase(
		[
			{ fields: { external_id: 'order-7' } },
			{ isWanted: false },
			{ noted: { at: AT, isRefused: true as const } },
		],
		async (how) => {
			const { sent, noted } = await send(['made'], how);
			expect([sent, noted]).toEqual([[undefined], { ...noted, at: expect.any(Number) }]);
			expect(noted?.reference).toBeUndefined();
		},
	);
});

test('a request has the same one when it is sent again, and keeps the time of the first', async () => {
	const noted = { at: AT, reference: OWN };
	expect(await send(['made'], { noted })).toMatchObject({ sent: [OWN], noted });
});

test.each([400, 422])(
	'a request is sent once more without it, if that was refused with %i',
	async (status) => {
		const { outcome, sent, noted } = await send([
			refusal('external_id is unknown', status),
			'made',
		]);
		expect([outcome, isOwnReference(sent[0]), sent.slice(1)]).toEqual(['made', true, [undefined]]);
		expect(noted).toEqual({ at: expect.any(Number), isRefused: true });
	},
);

test('a request is sent once more without it, however the service says that it does not take it', async () => {
	await forEachCase(
		[
			'external_id: is not allowed',
			'Unknown field external_id',
			'found unpermitted parameter: :external_id',
			"Additional properties are not allowed ('external_id' was unexpected)",
			"Unrecognized key(s) in object: 'external_id'",
			'property external_id should not exist',
			'Invalid value for external_id - expected Integer',
			'Cannot override default value for external_id',
			'Organization does not have access to external_id',
		],
		async (text) => expect((await send([refusal(text), 'made'])).outcome).toBe('made'),
	);
});

test('a reference that is taken leaves it in doubt, and is kept', async () => {
	await forEachCase(
		[
			'external_id has already been taken',
			'external_id: must be unique',
			'A transaction with this external_id exists and is not allowed twice',
		],
		async (text) => {
			const { outcome, sent, noted } = await send([refusal(text), 'made']);
			expect(outcome).toMatchObject({ flags: { unknownOutcome: true } });
			expect(sent).toEqual([noted!.reference]);
		},
	);
});

test("a person's own that is taken is in doubt only after an earlier request", async () => {
	const fields = { external_id: 'order-7' };
	const taken = refusal('external_id has already been taken');
	expect((await send([taken], { fields })).outcome).toBe(taken);
	const again = await send([taken], { fields, noted: { at: AT } });
	expect(again.outcome).toMatchObject({ flags: { unknownOutcome: true } });
});

test('a request is not sent once more for any other failure', async () => {
	await forEachCase(
		[
			refusal('email is wrong'),
			refusal('Unknown state in {"external_id":"n8n-1","state":"XX"}'),
			refusal('Invalid request: {:external_id=>"n8n-1", :email=>nil}'),
			refusal('external_id was read, and the email is missing'),
			refusal('signers[0].external_id is taken'),
			refusal('external_id is unknown', 403),
			withUnknownOutcome(refusal('', 502)),
		],
		async (failure) => {
			const { outcome, sent, noted } = await send([failure, 'made']);
			expect(outcome).toBe(failure);
			expect([sent.length, noted!.reference]).toEqual([1, sent[0]]);
		},
	);
});

test('a request that is refused because an earlier one has the reference leaves it in doubt', async () => {
	const noted = { at: AT, reference: OWN };
	const { outcome, sent } = await send([refusal('external_id is taken')], { noted });
	expect(outcome).toMatchObject({ flags: { unknownOutcome: true } });
	expect(sent).toEqual([OWN]);
});
