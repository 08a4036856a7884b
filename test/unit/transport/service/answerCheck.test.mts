import { findFailure } from '../../../../nodes/SignAndClose/transport/failure/failure.ts';
import type {
	EndpointName,
	Platform,
} from '../../../../nodes/SignAndClose/transport/service/endpoints.ts';
import { ENDPOINT_LIST } from '../../../../scripts/generated/listedInterface.mts';
import { credentialFor } from '../../../support/engine.mts';
import { forEachCase } from '../../../support/forEachCase.mts';
import { startSmallService } from '../../../support/smallService.mts';
import { clientOf } from '../client.mts';

/**
 * Answers about something else than was asked for, of every call that has an ID in its path. The
 * description of the service says what each call answers.
 */

/** Which ID the field `id` of an answer is, by the name of its schema. */
const KINDS: Array<[RegExp, string]> = [
	[/^(Transaction|Closing)$/, 'transaction'],
	[/Document$/, 'document'],
	[/^(Notarization|Closing)Record$/, 'record'],
	[/^Notary$/, 'notary'],
	[/^Webhook$/, 'webhook'],
];

const CALLS = ENDPOINT_LIST.filter(
	({ path, node }) => node !== undefined && path.includes('{'),
).map(({ title, path, platform, method, answerType = '', node }) => {
	const names = [...path.matchAll(/\{(\w+)_id\}/g)].map(([, name]) => name);
	const [, kind] = KINDS.find(([schema]) => schema.test(answerType)) ?? [];
	return { title, platform, method, names, kind, name: node!.name as EndpointName };
});

const idOf = (name: string) => `${name.slice(0, 2)}_asked`;
const OTHER = 'ot_another';

/** What the client makes of an answer. */
async function answered(call: (typeof CALLS)[number], body: unknown): Promise<unknown> {
	await using service = await startSmallService(() => ({ body }));
	const client = await clientOf(credentialFor(service.url));
	const path = Object.fromEntries(call.names.map((name) => [`${name}Id`, ` ${idOf(name)} `]));
	return await client
		.json(call.name, { path, platform: call.platform as Platform })
		.catch((thrown: unknown) => findFailure(thrown));
}

const refusal = ({ method }: (typeof CALLS)[number], name: string) => ({
	reason: {
		code: 'otherAnswered',
		name: `${name}Id`,
		expectedId: idOf(name),
		actualId: OTHER,
		isRead: method === 'GET',
	},
	flags: method === 'GET' ? {} : { unknownOutcome: true },
});

test('the description says of most calls what their answers are about', () => {
	expect(CALLS.filter(({ kind }) => kind !== undefined).length).toBeGreaterThan(25);
	expect(CALLS.length).toBeGreaterThan(35);
});

test.each(CALLS)('$title: an answer with the ID of another one is refused', async (call) => {
	const last = call.names.at(-1)!;
	const answer = await answered(call, { id: OTHER, status: 'sent' });
	if (call.kind === last) expect(answer).toMatchObject(refusal(call, last));
	// What the call answers isn't what its path names, e.g. a new document.
	else if (call.kind !== undefined) expect(answer).toEqual({ id: OTHER, status: 'sent' });
	for (const name of call.names) {
		const beside = { [`${name}_id`]: OTHER };
		expect(await answered(call, { id: idOf(last), ...beside })).toMatchObject(refusal(call, name));
	}
});

test.each(CALLS)('$title: any other answer passes', async (call) => {
	const last = idOf(call.names.at(-1)!);
	const named = Object.fromEntries(call.names.map((name) => [`${name}_id`, idOf(name)]));
	const answers = [
		{ id: last, ...named },
		{ id: last.replace('_', '') },
		...[null, '', 12345].map((id) => ({ id, message: 'Done' })),
		{ message: 'Done', documents: [{ id: OTHER }], signers: [{ signer_id: OTHER }] },
		[{ id: OTHER }, { id: last }],
		[],
	];
	await forEachCase(answers, async (body) => expect(await answered(call, body)).toEqual(body));
});
