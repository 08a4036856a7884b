import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { changingService, type Held } from '../../support/live/changingService.mts';
import { withService, type Answer, type AskedFor } from '../../support/live/service.mts';
import { hints } from '../../support/operations.mts';

/**
 * Transaction: Correct Signer, step by step. Whatever fails between recall and send again, the message
 * says truly where the transaction stands, or that nobody knows it.
 */

const JANE = {
	email: 'wrong@example.com',
	first_name: 'Jane',
	last_name: 'Poe',
	external_id: 's1',
};
const sent = (): Held => ({
	fields: { transaction_name: 'A', transaction_type: 'refinance' },
	signers: [{ ...JANE }],
	status: 'sent',
	detailed_status: 'sent_to_signer',
});
const correct = (platform: string, sendAgain: boolean, more: IDataObject = {}): IDataObject => ({
	resource: 'transaction',
	operation: 'correctSigner',
	platform,
	transactionId: id('ot_held001'),
	signerId: id('s1'),
	corrections: { email: 'right@example.com' },
	settingsNotShown: 'none',
	sendAgain,
	additionalFields: { suppress_email: true },
	...more,
});

/** The requests that can fail. */
const STEPS = {
	recall: ({ path }: AskedFor) => path.endsWith('/recall'),
	change: ({ method }: AskedFor) => method === 'PUT' || method === 'PATCH',
	send: ({ path }: AskedFor) => /\/(place_order|notarization_ready)$/.test(path),
};
type Step = keyof typeof STEPS;

/** How a request fails: `usual` does what was asked. */
const FAULTS: Record<string, (usual: () => Answer) => Answer> = {
	'is refused': () => ({ status: 422, body: { errors: ['Not now'] } }),
	'is answered with errors': () => ({ body: { errors: ['Not now'] } }),
	'is answered with errors, and done': (usual) => {
		usual();
		return { body: { errors: ['Not now'] } };
	},
	'is answered with nothing': () => ({ body: '' }),
	'is answered with nothing, and done': (usual) => {
		usual();
		return { body: {} };
	},
	'is lost': () => ({ status: 502, body: '' }),
	'is lost, and done': (usual) => {
		usual();
		return { status: 502, body: '' };
	},
};

/** Where a transaction stands, in the words of messages. */
const CLAIMS: Array<[RegExp, (now: Held) => boolean]> = [
	[/nobody knows|Nobody knows|may be sent again|outcome is unknown/, () => true],
	[/recalled and corrected, and not sent/, (now) => !isSent(now) && isCorrected(now)],
	[/is recalled, and not sent/, (now) => !isSent(now) && !isCorrected(now)],
	[/(?:)/, (now) => isSent(now) && !isCorrected(now)],
];
const isSent = (now: Held) => now.status === 'sent';
const isCorrected = (now: Held) => now.signers[0].email === 'right@example.com';

const CASES = Object.keys(STEPS).flatMap((step) =>
	Object.keys(FAULTS).flatMap((fault) =>
		[false, true].flatMap((isBlind) =>
			[true, false].flatMap((sendAgain) =>
				['business', 'realEstate'].map((platform) => ({
					step: step as Step,
					fault,
					isBlind,
					sendAgain,
					platform,
				})),
			),
		),
	),
);

/**
 * Runs a correction in which a step fails.
 * @param times how often
 * @param isBlind whether no look-up after it is answered
 */
async function failAt(
	now: Held,
	{ step, fault, isBlind, sendAgain, platform }: (typeof CASES)[number],
	{ times = 1, tries = 1 } = {},
) {
	let left = times;
	const disturb = (request: AskedFor, usual: () => Answer) => {
		if (left > 0 && STEPS[step](request)) {
			left--;
			return FAULTS[fault](usual);
		}
		return isBlind && left < times && request.method === 'GET'
			? { status: 422, body: { errors: ['Not now'] } }
			: undefined;
	};
	return await withService(changingService(now, { put: 'replace', disturb }), async (service) => {
		const { credential, bodies } = service;
		const { error } = await runNode({
			credential,
			parameters: correct(platform, sendAgain),
			node: { retryOnFail: tries > 1, maxTries: tries, waitBetweenTries: 1 },
		});
		return { said: error && `${error.message}. ${error.description}`, posts: bodies('POST') };
	});
}

describe.each(CASES)('$platform, Send Again $sendAgain: $step $fault, blind: $isBlind', (how) => {
	test('what is said is true, and a new run comes to the end', async () => {
		const now = sent();
		const { said } = await failAt(now, how);
		if (said === undefined) {
			expect({ corrected: isCorrected(now), sent: isSent(now) }).toEqual({
				corrected: true,
				sent: how.sendAgain,
			});
			return;
		}
		const [, holds] = CLAIMS.find(([words]) => words.test(said))!;
		expect({ said, holds: holds(now), now }).toMatchObject({ holds: true });
		await failAt(now, { ...how, isBlind: false }, { times: 0 });
		expect({ said, corrected: isCorrected(now) }).toEqual({ said, corrected: true });
	});
});

test.each(CASES.filter(({ isBlind, sendAgain }) => !isBlind && sendAgain))(
	'$platform: $step $fault, with Retry On Fail',
	async (how) => {
		const now = sent();
		const { said } = await failAt(now, how, { tries: 3 });
		expect({ said, sent: isSent(now), corrected: isCorrected(now) }).toEqual({
			said: undefined,
			sent: true,
			corrected: true,
		});
	},
);

test('after a refused change it is a draft, and the message says what to do', async () => {
	const now = sent();
	const how = { step: 'change', fault: 'is refused', isBlind: false, sendAgain: true } as const;
	const { said, posts } = await failAt(now, { ...how, platform: 'realEstate' });
	expect(said).toMatch(/The transaction is recalled, and not sent again.*'Transaction: Send'/);
	expect({ sent: isSent(now), posts: posts.length }).toEqual({ sent: false, posts: 1 });
});

test('a recall whose answer was lost is remembered over the tries', async () => {
	const now = sent();
	let looks = 0;
	const disturb = (request: AskedFor, usual: () => Answer) => {
		if (STEPS.recall(request)) return FAULTS['is lost, and done'](usual);
		if (STEPS.change(request) || STEPS.send(request)) return FAULTS['is refused'](usual);
		// The look-up of the first try fails.
		return request.method === 'GET' && ++looks === 2 ? { status: 422, body: {} } : undefined;
	};
	await withService(changingService(now, { put: 'replace', disturb }), async ({ credential }) => {
		const { error } = await runNode({
			credential,
			parameters: correct('realEstate', true),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		const said = `${error?.message}. ${error?.description}`;
		expect(said).toMatch(/The transaction is recalled, and not sent again yet/);
		expect(said).not.toMatch(/nothing was changed/i);
	});
});

/** Names on notarized papers are right to the letter. */
describe.each<[string, (sent: IDataObject) => IDataObject, RegExp]>([
	['takes it', (sent) => sent, /^$/],
	['ignores it', () => ({ ...JANE }), /^The service answered, but it shows/],
	[
		'writes it in its own way',
		(sent) => ({
			...sent,
			email: String(sent.email).replace('_', ''),
			first_name: String(sent.first_name).toUpperCase(),
			last_name: String(sent.last_name).replace(/\s/g, ''),
		}),
		/^'.*': sent '.*', the service shows '.*'$/,
	],
])('a service that %s', (_what, take, said) => {
	test.each([
		['email', 'jane_doe@example.com'],
		['first_name', 'Mary Ann'],
		['last_name', 'De La Cruz'],
	])('corrects %s only if it is shown to the letter: %s', async (field, value) => {
		const now: Held = { ...sent(), status: 'started', detailed_status: 'draft' };
		await withService(changingService(now, { put: 'replace', take }), async (service) => {
			const outcome = await runNode({
				credential: service.credential,
				parameters: correct('business', true, { corrections: { [field]: value } }),
			});
			expect(outcome.error?.message ?? hints(outcome).replace(/^.*\. (?=')/, '')).toMatch(
				said.source === '^$' ? /^(?!.*the service shows)/ : said,
			);
			expect(service.bodies('PATCH')).toHaveLength(1);
		});
	});
});
