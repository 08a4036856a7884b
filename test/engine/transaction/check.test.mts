import type { IDataObject } from 'n8n-workflow';

import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { describeToModel } from '../../../nodes/SignAndClose/run/nodeForm/toolForm.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { makeCheckedDraft, send, type CheckCase } from '../../support/checkedDrafts.mts';
import { CONSENT, GOOD } from './checkCases/good.mts';
import { PLANTED } from './checkCases/planted.mts';
import { id } from '../../support/closing.mts';
import {
	accounts,
	credentialFor,
	runNode,
	storeFile,
	useBinaryMode,
} from '../../support/engine.mts';
import { forEachCase } from '../../support/forEachCase.mts';
import { strangeNames } from '../../support/matrix/namedFields.mts';

/** Transaction: Check finds what is missing by its code, and nothing else. */

let sandbox: Sandbox | undefined;
beforeAll(async () => await useBinaryMode('filesystem'));
afterEach(async () => {
	expect(sandbox?.problems ?? []).toEqual([]);
	await sandbox?.close();
	sandbox = undefined;
	accounts.clear();
});

async function check(one: CheckCase, more: IDataObject = {}, type?: 'signAndCloseTool') {
	sandbox = await startSandbox(one.options);
	const transactionId = await makeCheckedDraft(sandbox, one);
	await one.then?.(sandbox.world.transactions.get(transactionId)!, sandbox);
	sandbox.requests.length = 0;
	const data = one.file && (await storeFile(Buffer.from(one.file), 'enote.xml', 'application/xml'));
	const { items, error } = await runNode({
		type,
		credential: credentialFor(sandbox.url),
		parameters: {
			resource: 'transaction',
			operation: 'check',
			platform: one.platform,
			transactionId: id(transactionId),
			binaryPropertyName: data ? 'data' : '',
			checkOutput: 'findings',
			...more,
		},
		items: [{ json: {}, ...(data && { binary: { data } }) }],
	});
	if (error) throw error;
	return { transactionId, sandbox, lines: items.map(({ json }) => json) };
}

const CHECK = operations.find(
	({ value, resource }) => `${resource}/${value}` === 'transaction/check',
)!;
/** What the drafts hold, which texts quote beside fields and operations. */
const QUOTED = ['Deed of Trust', 'Affidavit', 'borrower-1', 'borrower-9'];

/** A text is a sentence or more, and names only fields of the forms that it names, too. */
function expectClear(lines: IDataObject[]) {
	forEachCase(lines, ({ text }) => {
		expect(text).toMatch(/^.{5,}[^.]$/);
		const strange = strangeNames(String(text), CHECK).filter((name) => !QUOTED.includes(name));
		expect([text, strange]).toEqual([text, []]);
	});
}

const besidesOk = (lines: IDataObject[]) =>
	lines.filter(({ state }) => state !== 'ok').map(({ code, state }) => `${code}: ${state}`);

test('there are 25 planted faults and 20 good transactions at least, each with a name of its own', () => {
	const names = [...PLANTED, ...GOOD].map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(PLANTED.length).toBeGreaterThanOrEqual(25);
	expect(GOOD.length).toBeGreaterThanOrEqual(20);
	forEachCase(GOOD, ({ found }) =>
		expect(found.filter((one) => one !== CONSENT).join()).not.toMatch(/missing|warning/),
	);
});

test.each(PLANTED)('finds $name', async (one) => {
	const { lines, sandbox } = await check(one);
	expect(besidesOk(lines)).toEqual(one.found);
	expectClear(lines);
	expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test.each(GOOD)('finds nothing missing in $name, and the service sends it', async (one) => {
	const { lines, sandbox, transactionId } = await check(one);
	expect(besidesOk(lines)).toEqual(one.found);
	expectClear(lines);
	expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	if (one.options?.profile !== 'documented')
		await send(transactionId, one.platform, sandbox.url, sandbox.keys.full);
});

test('a summary is the default, one flat item with counts and texts', async () => {
	const one = PLANTED.find(({ name }) => name === 'consent forms alone')!;
	const { lines, transactionId } = await check(one, { checkOutput: undefined });
	expect(lines).toEqual([
		{
			transaction_id: transactionId,
			transaction_name: '100 Harbor Street, Boston, MA 02110',
			ready: false,
			missing: 1,
			warnings: 1,
			unknown: 0,
			missing_list:
				"There's no document besides the consent forms. Add one with 'Document: Add'. One that is split by its bookmarks appears after some minutes",
			warning_list:
				"No document needs a notary or confirms an identity, which some services refuse. Set 'Requirement' with 'Document: Update' if one does",
			unknown_list: '',
		},
	]);
});

test('a summary is ready if nothing is missing, whatever is unknown', async () => {
	const one = GOOD.find(({ name }) => name === 'a cosigner without an address')!;
	const { lines } = await check(one, { checkOutput: 'summary' });
	expect(lines).toMatchObject([{ ready: true, missing: 0, warnings: 0, unknown: 2 }]);
	expect(String(lines[0].unknown_list).split('\n')).toHaveLength(2);
});

test('a check that finds nothing says what it has seen', async () => {
	const { lines } = await check(GOOD.find(({ name }) => name === 'a refinance with its eNote')!);
	expect(lines.map(({ text }) => text)).toEqual([
		"It's a draft",
		"It doesn't expire",
		'The time to sign has no beginning or no end',
		'There is 1 signer',
		'Each signer has an email address',
		'Each signer has a phone number, or needs none',
		'No two signers have the same external ID',
		'Each designation belongs to a signer, the notary or a witness',
		'There are 2 documents',
		'No document is still being processed',
		'The service can process each document',
		'No document is e-signed, so none needs a place to sign',
		'No document of a copy lacks the places to sign of the old one',
		'The closing team adds places to sign',
		'A notary is needed',
		'2 notaries can meet the signers',
		'There is a title agency',
		'There is an eNote',
		'Each name in the eNote is that of a signer',
		'The property can be closed online',
		'The closing team holds nothing',
	]);
});

test("the eNote's file can come from an expression", async () => {
	const one = PLANTED.find(({ name }) => name === 'an eNote of somebody else')!;
	const { lines } = await check(one, { binaryPropertyName: '={{ $input.item.binary.data }}' });
	expect(besidesOk(lines)).toEqual(one.found);
});

test.each([
	['missing', /^'eNote File' is 'missing', but the item has no such file/],
	['data', /^'eNote File' isn't an XML file/],
])('an eNote that is no file of the item, or no XML, is refused: %s', async (field, told) => {
	const one = { ...GOOD.find(({ platform }) => platform === 'realEstate')!, file: 'no XML' };
	await expect(check(one, { binaryPropertyName: field })).rejects.toMatchObject({
		message: expect.stringMatching(told),
	});
	expect(sandbox!.requests).toEqual([]);
});

test('an agent checks without files, and reads all that is found', async () => {
	const one = PLANTED.find(({ name }) => name === "a lender's closing without a title agency")!;
	const { lines } = await check(one, { binaryPropertyName: 'missing' }, 'signAndCloseTool');
	expect(besidesOk(lines)).toEqual(one.found);
	expect(lines[0]).toMatchObject({ code: 'draft', state: 'ok', text: "It's a draft" });
	expect(describeToModel(CHECK)).toMatch(/before you send it.*Changes nothing\.$/);
});
