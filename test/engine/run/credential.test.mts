import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, CLOSING, createClosing, id, pdfItem } from '../../support/closing.mts';
import { runNode } from '../../support/engine.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** How often n8n opens the credential in a run, and what a run does when somebody changes the key. */

useSandbox();

const NEW_KEY = 'key-that-was-entered-later';
const READ: IDataObject = { resource: 'transaction', operation: 'get', platform: 'realEstate' };
const items = (count: number) => Array.from({ length: count }, () => ({ json: {} }));

let transactionId: IDataObject;
beforeEach(async () => {
	transactionId = id(await createClosing(credential()));
	sandbox.requests.length = 0;
});

/** Gives the service another key for full access; it doesn't accept the former one any more. */
let formerKey: string | undefined;
function rotateKey(): void {
	const [full] = sandbox.world.keys;
	formerKey = full.value;
	full.value = NEW_KEY;
}
afterEach(() => {
	if (formerKey !== undefined) sandbox.world.keys[0].value = formerKey;
	formerKey = undefined;
});

/** A credential that has these values one after the other, each time n8n opens it. */
function opening(...values: ICredentialDataDecryptedObject[]) {
	const state = { opened: 0 };
	const open = () => credential(values[Math.min(state.opened++, values.length - 1)]);
	return { state, open };
}

const sentWith = (key: string) =>
	sandbox.requests.filter(({ headers }) => headers.apikey === key).length;

test('a run opens the credential once, whatever the number of its items', async () => {
	const { state, open } = opening({});
	const { items: read, error } = await runNode({
		credential: open,
		parameters: { ...READ, transactionId },
		items: items(40),
	});
	expect(error).toBeUndefined();
	expect(read).toHaveLength(40);
	expect(state.opened).toBe(1);
});

test('a key that is changed during a run counts from the first refusal on', async () => {
	rotateKey();
	const { state, open } = opening({}, { apiKey: NEW_KEY });
	const { items: read, error } = await runNode({
		credential: open,
		parameters: { ...READ, transactionId },
		items: items(40),
	});
	expect(error).toBeUndefined();
	expect(read).toHaveLength(40);
	// Once at the start, and once for all that were refused together.
	expect(state.opened).toBe(2);
	expect(sentWith(NEW_KEY)).toBe(40);
});

test('a write that the former key was refused for is done once, and its output has no key', async () => {
	rotateKey();
	const { open } = opening({}, { apiKey: NEW_KEY });
	const closings = sandbox.world.transactions.size;
	const { items: made, error } = await runNode({
		credential: open,
		parameters: { ...CLOSING, transactionName: `Keys ${NEW_KEY}`, output: 'raw' },
	});
	expect(error).toBeUndefined();
	expect(sandbox.world.transactions.size).toBe(closings + 1);
	expect(JSON.stringify(made)).not.toContain(NEW_KEY);
});

test('a file is sent again as a whole with the new key', async () => {
	rotateKey();
	const { open } = opening({}, { apiKey: NEW_KEY });
	const { items: added, error } = await runNode({
		credential: open,
		parameters: { ...ADD_DOCUMENT, transactionId },
		items: [await pdfItem()],
	});
	expect(error).toBeUndefined();
	expect(added[0].json.document_id).toEqual(expect.any(String));
});

test('a key that stays wrong is told after one more look at the credential', async () => {
	rotateKey();
	const { state, open } = opening({});
	const { error } = await runNode({ credential: open, parameters: { ...READ, transactionId } });
	expect(error?.message).toBe("The service didn't accept the API key");
	expect(state.opened).toBe(2);
	expect(sandbox.requests).toHaveLength(1);
});

test('a credential that is deleted during a run serves it to its end', async () => {
	let opened = 0;
	const { items: read, error } = await runNode({
		credential: () => {
			if (opened++ > 0) throw new Error('Credential with ID "1" does not exist.');
			return credential();
		},
		parameters: { ...READ, transactionId },
		items: items(10),
	});
	expect(error).toBeUndefined();
	expect(read).toHaveLength(10);
});

test('a credential that now belongs to another service is not used for this run', async () => {
	rotateKey();
	const { open } = opening({}, { apiKey: NEW_KEY, baseUrl: 'http://127.0.0.1:9' });
	const { error } = await runNode({ credential: open, parameters: { ...READ, transactionId } });
	expect(error?.message).toBe("The service didn't accept the API key");
	expect(sentWith(NEW_KEY)).toBe(0);
});
