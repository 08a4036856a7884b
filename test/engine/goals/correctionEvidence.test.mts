import { describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { id } from '../../support/closing.mts';
import type { RunOptions } from '../../support/engine.mts';
import { fullSent, PLATFORMS } from '../../support/everyField/transactions.mts';
import { complaint, EMPTY_SUCCESSES, run, transaction } from '../../support/operations.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/**
 * Each step of a correction is done when the service shows it. Whoever corrects a signer reads how
 * far it came: nobody should wait for signers who were never invited again.
 */

useSandbox();

const REFUSAL = { body: { error: 'Feature switched off' } };
const RETRY = { node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 } };

/** A transaction that was sent to a wrong address, and the parameters that correct it. */
async function wronglySent(platform: (typeof PLATFORMS)[number]) {
	const { chosen, signer, plainId } = await fullSent(sandbox, platform);
	sandbox.requests.length = 0;
	return {
		transactionId: plainId,
		parameters: {
			...chosen,
			resource: 'transaction',
			operation: 'correctSigner',
			settingsNotShown: 'set',
			signerId: id(signer),
			corrections: { email: 'right@example.com' },
			sendAgain: true,
			recallReason: '',
			closingSettings: platform === 'realEstate' ? { paper_note_consent: true } : {},
			additionalFields: {},
		} as IDataObject,
	};
}

/** The writes that the service was asked for, in order. */
const asked = () =>
	sandbox.requests.flatMap(({ method, path }) => {
		if (method === 'POST') return [path.endsWith('/recall') ? 'recall' : 'send'];
		return method === 'GET' ? [] : ['change'];
	});

/** Where the transaction stands at the service. */
const standing = (transactionId: string) => {
	const { detailedStatus, history, signers } = transaction(transactionId);
	const sendings = history.filter(({ what }) => what.startsWith('sent to the signer'));
	return {
		state: detailedStatus,
		corrected: signers[0].email === 'right@example.com',
		sendings: sendings.length,
	};
};

/** What a step asks for, and how things stand when it was not carried out. */
const STEPS = {
	change: {
		request: { path: /\/transactions\/[^/]+$/ },
		methods: { realEstate: 'PUT', business: 'PATCH' },
		said: /^The service answered, but it shows no change of 'Email'\. The transaction was recalled, and is sent again without the correction/,
		asked: ['recall', 'change', 'send'],
		left: { state: 'sent_to_signer', corrected: false, sendings: 2 },
		rest: ['recalled', 'corrected', 'sent'],
		next: ['recall', 'change', 'send'],
		sendings: 3,
	},
	send: {
		request: { path: /\/(place_order|notarization_ready)$/ },
		methods: { realEstate: 'POST', business: 'POST' },
		said: /^The service answered, but the transaction is still a draft\. The transaction is recalled and corrected, and not sent again yet/,
		asked: ['recall', 'change', 'send'],
		left: { state: 'recalled', corrected: true, sendings: 1 },
		rest: ['sent'],
		next: ['send'],
		sendings: 2,
	},
};
const CASES = PLATFORMS.flatMap((platform) =>
	(['change', 'send'] as const).map((step) => ({ platform, step, ...STEPS[step] })),
);
const allDone = (sendings: number) => ({ state: 'sent_to_signer', corrected: true, sendings });

describe.each(CASES)('$platform: $step', ({ platform, request, methods, ...expected }) => {
	const strike = (answer: object) =>
		sandbox.faults.add({ ...request, method: methods[platform], status: 200, ...answer });

	test.each(EMPTY_SUCCESSES)(
		'answered with %s, and not carried out: says what stands, and a new run goes on from there',
		async (_how, answer) => {
			const { transactionId, parameters } = await wronglySent(platform);
			strike(answer);
			const said = await complaint(parameters);
			expect(said).toMatch(expected.said);
			expect(said).toMatch(/Run this again/);
			if (JSON.stringify(answer).includes('switched off'))
				expect(said).toMatch(/The service said: Feature switched off/);
			expect(asked()).toEqual(expected.asked);
			expect(standing(transactionId)).toEqual(expected.left);
			const { json } = await run(parameters);
			expect(json.correction_steps).toEqual(expected.rest);
			expect(standing(transactionId)).toEqual(allDone(expected.sendings));
		},
	);
	test('refused in a 200: Retry On Fail does what is left, once', async () => {
		const { transactionId, parameters } = await wronglySent(platform);
		strike(REFUSAL);
		const { json } = await run(parameters, RETRY);
		expect(json.correction_steps).toEqual(['recalled', 'corrected', 'sent']);
		expect(asked()).toEqual([...expected.asked, ...expected.next]);
		expect(standing(transactionId)).toEqual(allDone(expected.sendings));
	});
	test('refused in a 200, but carried out: it succeeds, and nothing is done twice', async () => {
		const { transactionId, parameters } = await wronglySent(platform);
		strike({ kind: 'respondAfter', ...REFUSAL });
		const { json } = await run(parameters, RETRY);
		expect(json.correction_steps).toEqual(['recalled', 'corrected', 'sent']);
		expect(asked()).toEqual(['recall', 'change', 'send']);
		expect(standing(transactionId)).toEqual(allDone(2));
	});
});

describe.each(PLATFORMS)('%s: a sending that nothing shows', (platform) => {
	const CARRIED_OUT = [
		['not carried out', 'respond', 1],
		['carried out', 'respondAfter', 2],
	] as const;
	/** Sends with an answer that says nothing, after which no answer shows the transaction. */
	async function sendUnseen(kind: 'respond' | 'respondAfter', more: Partial<RunOptions>) {
		const { transactionId, parameters } = await wronglySent(platform);
		sandbox.faults.add({ ...STEPS.send.request, method: 'POST', kind, status: 200, body: '' });
		// The correction reads once, before the recall.
		const path = new RegExp(`${transactionId}$`);
		sandbox.faults.add({ method: 'GET', path, skip: 1, times: 99, status: 200, body: '' });
		return { transactionId, said: await complaint(parameters, more) };
	}
	test.each(CARRIED_OUT)('and that was %s is not denied', async (_how, kind, sendings) => {
		const { transactionId, said } = await sendUnseen(kind, {});
		expect(said).toMatch(/so the outcome is unknown.*Look it up at the service/);
		expect(said).toMatch(/recalled and corrected, and may be sent again already/);
		expect(said).not.toMatch(/not sent again/);
		expect(standing(transactionId)).toMatchObject({ corrected: true, sendings });
	});
	test.each(CARRIED_OUT)(
		'and that was %s is not repeated by Retry On Fail',
		async (_how, kind, sendings) => {
			const { transactionId, said } = await sendUnseen(kind, RETRY);
			expect(said).toMatch(
				/outcome is unknown\. The transaction is recalled and corrected, and may be sent again already\. Look it up/,
			);
			expect(asked()).toEqual(['recall', 'change', 'send']);
			expect(standing(transactionId)).toMatchObject({ corrected: true, sendings });
		},
	);
});
