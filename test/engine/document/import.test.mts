import type { IDataObject } from 'n8n-workflow';

import { createClosing, id } from '../../support/closing.mts';
import { complaint, EMPTY_SUCCESSES, hints, run, transaction } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Documents that the service imports into a closing. */

useSandbox();

describe('Document: Import', () => {
	const importInto = (transactionId: string, more: IDataObject = {}) => ({
		resource: 'document',
		operation: 'import',
		transactionId: id(transactionId),
		documentCode: '7001234-CLOSING',
		externalSource: 'docmagic',
		...more,
	});

	test('the service begins it, and the documents appear later', async () => {
		const closing = await createClosing(credential());
		const before = transaction(closing).documents.length;
		const outcome = await run(importInto(closing));
		expect(outcome.json).toEqual({
			transaction_id: closing,
			document_code: '7001234-CLOSING',
			external_source: 'docmagic',
			import_in_progress: true,
			response: 'processing',
		});
		expect(hints(outcome)).toMatch(/'Import Finished'/);
		expect(sandbox.requests.at(-1)).toMatchObject({
			path: `/mortgage/v1/transactions/${closing}/documents/external`,
			body: { document_code: '7001234-CLOSING', external_source: 'docmagic' },
		});
		await sandbox.clock.advance(10_000);
		expect(transaction(closing).documents).toHaveLength(before + 1);
	});
	test('a second one at the same time is refused with words that help', async () => {
		const closing = await createClosing(credential());
		await run(importInto(closing));
		expect(await complaint(importInto(closing))).toMatch(
			/being imported already\. Wait for the event 'Import Finished'/,
		);
	});
	test.each([...EMPTY_SUCCESSES, ['nothing', { kind: 'cutAfter' }] as [string, object]])(
		'answered with %s is unknown, and not repeated: the documents would come twice',
		async (_how, answer) => {
			const closing = await createClosing(credential());
			sandbox.requests.length = 0;
			sandbox.faults.add({ method: 'POST', path: /external$/, status: 200, ...answer });
			const said = await complaint(importInto(closing), {
				node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 5 },
			});
			expect(said).toMatch(/outcome is unknown/);
			expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
		},
	);
});
