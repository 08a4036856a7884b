import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { CLOSING, TITLE, toForm } from '../../support/closing.mts';
import { credentialFor, runNode } from '../../support/engine.mts';
import { workedMs } from '../../support/cpuTime.mts';
import { liveBusinessDocument, liveClosing, liveDocument } from '../../support/live/answers.mts';
import { attempt, BUSINESS, JANE } from '../../support/operations.mts';
import { withService } from '../../support/live/service.mts';
import { sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Sheets that are run twice, of any shape and of 200 rows in an account of 5,000. */

useSandbox();

const row = fc.record({
	number: fc.integer({ min: 1, max: 4 }),
	hasExternalId: fc.boolean(),
	hasLoan: fc.boolean(),
	type: fc.constantFrom('Refinance', 'HELOC'),
	email: fc.constantFrom('jane@example.com', 'bob@example.com'),
	file: fc.constantFrom('', 'F-1', 'F-2'),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;
const toItem = ({ number, hasExternalId, hasLoan, type, email, file }: Row): IDataObject => ({
	external_id: hasExternalId ? `case-${number}` : '',
	loan_number: hasLoan ? `7${number}` : '',
	loan_type: type,
	file_number: file,
	borrower_email: email,
	borrower_first_name: 'Jane',
	borrower_last_name: 'Borrower',
	property_address: '1 Main St',
	property_city: 'Boston',
	property_state: 'MA',
	property_zip: '02110',
});
const NUMBERS: Record<string, string[]> = {
	reference: ['external_id', 'loan_number'],
	external_id: ['external_id'],
	loan_number: ['loan_number'],
	file_number: ['file_number'],
};

test('whatever the account and the sheet, a second run creates only what has no number', async () => {
	const creates = () =>
		sandbox.requests.filter(({ method, path }) => method === 'POST' && /\/transactions$/.test(path))
			.length;
	await fc.assert(
		fc.asyncProperty(
			fc.array(row, { maxLength: 3 }),
			fc.array(row, { minLength: 1, maxLength: 5 }),
			fc.constantFrom('return', 'update', 'stop'),
			fc.constantFrom(...Object.keys(NUMBERS)),
			async (account, sheet, ifExists, matchBy) => {
				sandbox.world.transactions.clear();
				const run = async (rows: Row[], mode: string) => {
					sandbox.requests.length = 0;
					await attempt(
						{
							resource: 'transaction',
							operation: 'createClosing',
							fieldsFrom: 'row',
							columns: { mappingMode: 'autoMapInputData', value: null },
							...TITLE,
							numbers: { settingsNotShown: 'none' },
							ifExists: mode,
							matchBy,
						},
						{
							items: rows.map((one) => ({ json: toItem(one) })),
							node: { onError: 'continueErrorOutput' },
						},
					);
					return creates();
				};
				await run(account, 'another');
				await run(sheet, ifExists);
				const withoutNumber = sheet
					.map(toItem)
					.filter((item) => NUMBERS[matchBy].every((field) => item[field] === ''));
				expect(await run(sheet, ifExists)).toBe(withoutNumber.length);
			},
		),
		{ numRuns: 60 },
	);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test.each(['realEstate', 'business'] as const)(
	'200 rows in an account of 5,000 on %s: one walk, less than 60 s of work and 100 MB',
	async (platform) => {
		const isBusiness = platform === 'business';
		const documents = Array.from({ length: 5 }, (_, index) => ({
			...(isBusiness ? liveBusinessDocument() : liveDocument()),
			id: `do_${index}`,
		}));
		const entry = (index: number) =>
			liveClosing(documents, {
				id: `ot_${index}`,
				transaction_type: isBusiness ? null : 'refinance',
				external_id: `case-${index}`,
				signers: [isBusiness ? JANE : { email: 'jane.borrower@example.com' }],
			});
		const total = 5_000;
		let most = 0;
		let reads = 0;
		const outcome = await withService(
			({ method, path, query }) => {
				if (method === 'POST') return { body: entry(total) };
				const one = /ot_(\d+)$/.exec(path);
				if (one !== null) return { body: entry(Number(one[1])) };
				if (++reads % 10 === 0) {
					collectGarbage();
					most = Math.max(most, process.memoryUsage().heapUsed);
				}
				const offset = Number(query.offset);
				const count = Math.min(Number(query.limit), total - offset);
				const data = Array.from({ length: count }, (_, index) => entry(offset + index));
				return { body: { total_count: total, count, data } };
			},
			async ({ url }) => {
				collectGarbage();
				const before = process.memoryUsage().heapUsed;
				const began = workedMs();
				const { items, error } = await runNode({
					credential: credentialFor(url),
					parameters: {
						...(isBusiness ? BUSINESS : CLOSING),
						...toForm({ ifExists: 'return', external_id: '={{ $json.case }}' }),
					},
					// Every second one exists.
					items: Array.from({ length: 200 }, (_, index) => ({
						json: { case: `case-${index * 50}` },
					})),
				});
				if (error) throw error;
				return { items, seconds: (workedMs() - began) / 1000, megabytes: (most - before) / 1e6 };
			},
		);
		expect(outcome.items.map(({ json }) => json.existing)).toEqual(
			Array.from({ length: 200 }, (_, index) => index < 100),
		);
		// Each page begins with the last entry of the one before.
		expect(reads).toBeLessThanOrEqual(52);
		expect(outcome.seconds).toBeLessThan(60);
		expect(outcome.megabytes).toBeLessThan(100);
	},
);
