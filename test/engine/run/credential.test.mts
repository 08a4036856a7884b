import { beforeEach, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { createClosing, id } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** How often n8n opens the credential in a run. */

useSandbox();

let transactionId: IDataObject;
beforeEach(async () => {
	transactionId = id(await createClosing(credential()));
	sandbox.requests.length = 0;
});

test('a run opens the credential once, whatever the number of its items', async () => {
	let opened = 0;
	const { items, error } = await runNode({
		credential: () => {
			// It may even be deleted meanwhile.
			if (opened++ > 0) throw new Error('Credential with ID "1" does not exist.');
			return credential();
		},
		parameters: {
			resource: 'transaction',
			operation: 'get',
			platform: 'realEstate',
			transactionId,
		},
		items: Array.from({ length: 40 }, () => ({ json: {} })),
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(40);
	expect(opened).toBe(1);
});
