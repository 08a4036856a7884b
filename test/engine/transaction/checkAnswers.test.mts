import type { IDataObject } from 'n8n-workflow';

import type { State } from '../../../nodes/SignAndClose/resources/transaction/check/findings.ts';
import { startSandbox } from '../../../sandbox/index.mts';
import { ANSWERS, BOSTON, business, DEED, esigned, type Answered } from './checkCases/answers.mts';
import { makeCheckedDraft } from '../../support/checkedDrafts.mts';
import { GOOD } from './checkCases/good.mts';
import { PLANTED } from './checkCases/planted.mts';
import { id } from '../../support/closing.mts';
import { runNode, storeFile, useBinaryMode } from '../../support/engine.mts';
import { hints } from '../../support/operations.mts';
import { inForm } from '../../support/faultMatrix/faults.mts';
import { withService } from '../../support/live/service.mts';
import { WORDS } from '../../../scripts/generated/checkTable.mts';
import { answerSchemaOf } from '../../../scripts/generated/listedInterface.mts';

/**
 * Transaction: Check reads answers as live services were seen to shape them, whatever the sandbox
 * makes of it (docs/service/transactions.md#unset-fields).
 */

beforeAll(async () => await useBinaryMode('filesystem'));

/** Checks a transaction of a service that answers like this. */
const check = async (answered: Answered) => (await checkWithHint(answered)).lines;

async function checkWithHint({ platform, answer, notaries, places, file }: Answered) {
	return await withService(
		({ path }) => {
			if (path.endsWith('/notaries')) return notaries ?? { body: [{ id: 'us_1' }] };
			if (path.endsWith('/verify_address')) return places ?? { body: [BOSTON] };
			return { body: answer };
		},
		async ({ credential, requests }) => {
			const data = file && (await storeFile(Buffer.from(file), 'note.xml', 'application/xml'));
			const outcome = await runNode({
				credential,
				parameters: {
					resource: 'transaction',
					operation: 'check',
					platform,
					transactionId: id(String(answer.id)),
					binaryPropertyName: data ? 'data' : '',
					checkOutput: 'findings',
				},
				items: [{ json: {}, ...(data && { binary: { data } }) }],
			});
			if (outcome.error) throw outcome.error;
			expect(requests.every(({ method }) => method === 'GET')).toBe(true);
			return { lines: outcome.items.map(({ json }) => json), hint: hints(outcome) };
		},
	);
}

const besidesOk = (lines: IDataObject[]) =>
	lines.filter(({ state }) => state !== 'ok').map(({ code, state }) => `${code}: ${state}`);

test.each(ANSWERS)('%s', async (_name, answered, found) => {
	expect(besidesOk(await check(answered))).toEqual(found);
});

test('a service that takes questions later fails the item, so that it is checked later', async () => {
	const later = { status: 429, headers: { 'retry-after': '4000' }, body: {} };
	await expect(check({ ...business({}), notaries: later })).rejects.toMatchObject({
		message: expect.stringMatching(/^The service is limiting requests/),
	});
});

test('each state that a check can be in is met, and no other', () => {
	const all: string[][] = [
		...[...PLANTED, ...GOOD].map(({ found }) => found),
		...ANSWERS.map(([, , found]) => found),
		// Only the run of Create and Send that has created it knows that (runHints.test.mts).
		['title_agency: missing'],
	];
	const states = ['missing', 'warning', 'unknown'] satisfies State[];
	const declared = Object.entries(WORDS).flatMap(([code, words]) =>
		states.filter((state) => words[state] !== undefined).map((state) => `${code}: ${state}`),
	);
	expect([...new Set(all.flat())].sort()).toEqual(declared.sort());
});

test.each([
	['sent', 'sent_to_signer', /already sent \(sent to signer\)\. .*'Transaction: Recall'$/],
	['completed', 'complete', /has ended \(completed\)\. Create a new transaction/],
])('what is no draft says what to do: %s', async (status, detailed_status, told) => {
	const [{ text }] = await check(business({ status, detailed_status }));
	expect(text).toMatch(told);
});

test('nothing is said of an eNote whose documents are not shown', async () => {
	const lines = await check({ platform: 'realEstate', answer: { id: 'ot_1', status: 'started' } });
	expect(lines.find(({ code }) => code === 'enote')?.text).toBe(
		"The service doesn't show the documents",
	);
});

test('the hint says first what came of it, and names at the end what is unknown, once each', async () => {
	const { lines, hint } = await checkWithHint(
		business({
			signers: [{ email: 'jane@example.com' }, { email: 'joe@example.com' }],
			documents: [DEED, esigned({ signing_designations: [{ id: 'ad1' }] })],
		}),
	);
	const unknown = lines.filter(({ state }) => state === 'unknown');
	expect(unknown.length).toBeGreaterThan(3);
	expect(hint).toBe(
		"Nothing is missing that the service shows. The service doesn't show everything, so check these yourself (the output says more): phone numbers, which codes by text message need; who signs where",
	);
});

test('a finding has its place, and what to do', async () => {
	const lines = await check(
		business({ documents: [{ ...DEED, processing_state: 'pending' }, esigned({ id: 'do_2' })] }),
	);
	expect(lines.filter(({ state }) => state === 'missing')).toEqual([
		{
			transaction_id: 'ot_od4kenk',
			code: 'document_pending',
			state: 'missing',
			text: "The service is still processing 'Deed of Trust'. Check again in a minute. 'Transaction: Send' waits for it",
			field: 'documents[].processing_state',
			document_id: 'do_5f0c2a1e',
		},
		{
			transaction_id: 'ot_od4kenk',
			code: 'places_to_sign',
			state: 'missing',
			text: "'Affidavit' has no place to sign. Delete it, and add it again with 'Where to Sign' of 'Document: Add'",
			field: 'documents[].signing_designations, documents[].allowed_actions',
			document_id: 'do_2',
		},
	]);
});

describe('answers in each form that the description of the service allows', () => {
	const forms = ['required', 'nulls', 'text-numbers', 'other-order', 'further'] as const;
	test.each(
		(['business', 'realEstate'] as const).flatMap((platform) =>
			forms.map((form) => [platform, form] as const),
		),
	)('%s, %s: nothing is missing in a good draft', async (platform, form) => {
		const sandbox = await startSandbox();
		try {
			const plain = await makeCheckedDraft(sandbox, { platform });
			const path = `${platform === 'business' ? '' : '/mortgage/v2'}/transactions/${plain}`;
			const answer = await fetch(sandbox.url + path, { headers: { ApiKey: sandbox.keys.full } });
			const shown = inForm(form, answerSchemaOf('GET', path), await answer.json());
			const lines = await check({ platform, answer: shown as IDataObject });
			expect(besidesOk(lines).filter((one) => !one.endsWith(': unknown'))).toEqual([]);
		} finally {
			await sandbox.close();
		}
	});
});
