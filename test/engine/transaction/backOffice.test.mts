import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import {
	addDocument,
	base64,
	Client,
	CLOSING,
	IAL2,
	newClosing,
	newSent,
} from '../../sandbox/support/client.mts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { hints } from '../../support/operations.mts';

/**
 * What a back office looks for every day with Transaction: Get Many, at the sandbox. The README shows
 * the same settings. The transactions are named by their loan number or external ID.
 */

const ZONE = 'America/New_York';
const NOW = DateTime.now().setZone(ZONE);
const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

let sandbox: Sandbox;
let client: Client;

const draft = async (loan_number: string, more: object = {}) =>
	await newClosing(client, { loan_number, ...more });
/** A closing whose signer has been invited. */
async function sent(loan: string, more: object = {}): Promise<string> {
	const id = await ordered(loan, more);
	await sandbox.act.sendToSigner(id);
	return id;
}
/** A closing that the closing team prepares. */
async function ordered(loan: string, more: object = {}): Promise<string> {
	const id = await draft(loan, more);
	await addDocument(client, id, { requirement: 'notarization' });
	await client.ok('POST', `/mortgage/v1/transactions/${id}/place_order`, {});
	return id;
}
const until = async (time: DateTime) =>
	await sandbox.clock.advance(time.toMillis() - sandbox.clock.now());
/** In how many days a closing expires that isn't over. */
const EXPIRING = [1, 3, 5, 7, 9];

async function eightDaysAgo(): Promise<void> {
	await sent('forgotten');
	await draft('begun');
	const recalled = await sent('recalled');
	await client.ok('POST', `/mortgage/v1/transactions/${recalled}/recall`);
}

async function yesterday(): Promise<void> {
	const completed = await sent('completed');
	await sandbox.act.sign(completed);
	await sandbox.act.notarize(completed);
	const rejected = await sent('rejected');
	await sandbox.act.reject(rejected);
}

async function today(): Promise<void> {
	const completed = await sent('completed today');
	await sandbox.act.sign(completed);
	await sandbox.act.notarize(completed);
	await sandbox.act.sendToTitleAgency(await ordered('with the agency'));
	await sandbox.act.decline(await sent('declined'));
	await sent('of Zoe', { signer: { ...CLOSING.signer, email: 'Zoe@Example.com' } });
	for (const days of EXPIRING)
		await sent(`expires in ${days}`, {
			expiration_time: NOW.plus({ days }).toISO(),
		});
	const unread = await draft('with a broken PDF');
	sandbox.world.settings.processingMs = Infinity;
	await client.ok('POST', `/mortgage/v1/transactions/${unread}/documents`, {
		resource: base64('%PDF-1.7'),
		requirement: 'notarization',
	});
	await sandbox.act.failProcessing(unread, { reason: 'The PDF is encrypted' });
	const signers = [{ email: 'kim@example.com', assurance_requirement: IAL2 }];
	sandbox.world.settings.processingMs = 0;
	const [failed, retried] = [
		await newSent(client, { external_id: 'failed the questions', signers }),
		await newSent(client, { external_id: 'passed in the end', signers }),
	];
	await sandbox.act.failKnowledge(failed);
	await sandbox.act.failSelfie(retried);
	await sandbox.act.sign(retried);
}

beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox({
		closingTeam: 'manual',
		processingMs: 0,
		startTime: NOW.minus({ days: 8 }).toMillis(),
	});
	client = new Client(sandbox);
	await eightDaysAgo();
	await until(NOW.minus({ days: 1 }).set({ hour: 12 }));
	await yesterday();
	await until(NOW);
	await today();
}, 60_000);
afterAll(async () => await sandbox.close());

async function ask(parameters: IDataObject) {
	const outcome = await runNode({
		credential: credentialFor(sandbox.url),
		parameters: {
			resource: 'transaction',
			operation: 'getAll',
			platform: 'realEstate',
			returnAll: true,
			output: 'raw',
			...parameters,
		},
	});
	if (outcome.error) throw outcome.error;
	return {
		found: outcome.items.map(({ json }) => String(json.loan_number ?? json.external_id)),
		said: hints(outcome),
	};
}

const expiring = EXPIRING.map((days) => `expires in ${days}`);
/** Those that expire until Sunday. A closing expires at the end of its day in UTC. */
const thisWeek = EXPIRING.filter(
	(days) =>
		NOW.plus({ days }).toUTC().set({ hour: 23, minute: 59, second: 59 }) <= NOW.endOf('week'),
).map((days) => `expires in ${days}`);

const OPEN = [
	'with a broken PDF',
	...expiring.toReversed(),
	'of Zoe',
	'with the agency',
	'recalled',
	'begun',
	'forgotten',
];

const QUESTIONS: Array<[question: string, parameters: IDataObject, answer: string[]]> = [
	[
		'Which closings are open, and who has not signed?',
		{ filters: { detailed_status: ['open'] } },
		OPEN,
	],
	[
		'What expires this week?',
		{
			filters: { detailed_status: ['open'], expires_before: "={{ $now.endOf('week') }}" },
		},
		thisWeek.toReversed(),
	],
	[
		'Whose identity check failed?',
		{ platform: 'business', filters: { identity_check_failed: true } },
		['failed the questions'],
	],
	[
		'What waits for the title agency?',
		{ filters: { transaction_status: 'sent_to_title_agency' } },
		['with the agency'],
	],
	[
		'What has not moved for five days?',
		{
			filters: {
				detailed_status: ['open'],
				last_updated_date_end: '={{ $now.minus({ days: 5 }) }}',
			},
		},
		['recalled', 'begun', 'forgotten'],
	],
	[
		'Which closings does this borrower have?',
		{ filters: { signer_email: 'zoe@example.com' } },
		['of Zoe'],
	],
	[
		'What was completed yesterday?',
		{
			filters: {
				detailed_status: ['complete', 'complete_with_rejections', 'wet_sign_complete'],
				last_updated_date_start: "={{ $now.minus({ days: 1 }).startOf('day') }}",
				last_updated_date_end: "={{ $now.minus({ days: 1 }).endOf('day') }}",
			},
		},
		['rejected', 'completed'],
	],
	['What was declined?', { filters: { detailed_status: ['declined'] } }, ['declined']],
	[
		'Which drafts were never sent?',
		{ filters: { detailed_status: ['draft'] } },
		['with a broken PDF', 'begun'],
	],
	[
		'Which document could not be processed?',
		{ filters: { document_failed: true } },
		['with a broken PDF'],
	],
];

describe('one node answers', () => {
	test.each(QUESTIONS)('%s', async (question, parameters, answer) => {
		const { found } = await ask(parameters);
		expect(found).toEqual(answer);
		expect(README).toContain(question);
	});
});

test('business lists do not show whether a document could be processed, which is said', async () => {
	const { found, said } = await ask({ platform: 'business', filters: { document_failed: true } });
	expect(found).toEqual([]);
	expect(said).toMatch(/'Document Processing Failed' compares: 2/);
});
