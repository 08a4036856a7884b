import type { IDataObject } from 'n8n-workflow';

import { borrowers, ADD_DOCUMENT, createClosing, id } from '../../support/closing.mts';
import { attempt, complaint } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Designations as people and systems write them, and as they reach the service. */

useSandbox();

const SPOT = {
	signer_identifier: 'borrower-1',
	type: 'signature',
	x: 10,
	y: 20,
	width: 200,
	height: 28,
};
const PLACE = { ...SPOT, page_number: 0 };
const ROW = { ...SPOT, page: 1 };
const BOX = { ...PLACE, type: 'checkmark', primary_designation_identifier: 'box' };
const adding = (transactionId: string, more: IDataObject): IDataObject => ({
	...ADD_DOCUMENT,
	transactionId: id(transactionId),
	source: 'url',
	fileUrl: `${sandbox.url}/samples/deed-of-trust.pdf`,
	documentName: 'Deed',
	...more,
});
const inJson = (value: unknown): IDataObject => ({
	whereToSign: 'json',
	designationsJson: typeof value === 'string' ? value : JSON.stringify(value),
});
const inRows = (...row: IDataObject[]): IDataObject => ({
	whereToSign: 'rows',
	designations: { row },
});

/** What reaches the service. */
async function sent(more: IDataObject, closing: IDataObject = {}): Promise<unknown> {
	const outcome = await attempt(adding(await createClosing(credential(), closing), more));
	if (outcome.error) throw outcome.error;
	const { body } = sandbox.requests
		.filter(({ method, path }) => method === 'POST' && /documents/.test(path))
		.at(-1)!;
	return (body as IDataObject).signing_designations;
}

describe('designations reach the service', () => {
	test.each<[string, unknown, unknown]>([
		['as they are', [PLACE], [PLACE]],
		[
			'without spaces, as numbers, in whole points',
			[{ ...PLACE, signer_identifier: ' borrower-1 ', x: ' 10.4 ', page_number: '0' }],
			[PLACE],
		],
		[
			'without a group that is empty',
			[{ ...PLACE, type: 'checkmark', signing_designation_group: '  ' }],
			[{ ...PLACE, type: 'checkmark' }],
		],
		[
			'in a group, whatever spaces are around its name',
			[{ ...PLACE, type: 'checkmark', signing_designation_group: ' either-or ' }],
			[{ ...PLACE, type: 'checkmark', signing_designation_group: { name: 'either-or' } }],
		],
		[
			'that depend on an optional one',
			[
				{ ...BOX, optional: true },
				{ ...PLACE, y: 90, conditional_on_primary: 'box' },
			],
			[
				{ ...BOX, optional: true },
				{ ...PLACE, y: 90, conditional_on_primary: 'box' },
			],
		],
		['not at all when there are none', [], undefined],
		['not at all when the field is empty', '', undefined],
	])('%s', async (_name, given, expected) => {
		expect(await sent(inJson(given))).toEqual(expected);
	});
	test('with the external ID of another system, which is a number', async () => {
		const places = await sent(inJson([{ ...PLACE, signer_identifier: 7001 }]), {
			signers: borrowers({ external_id: '7001' }),
		});
		expect(places).toEqual([{ ...PLACE, signer_identifier: '7001' }]);
	});
	test('from rows, whose pages count from 1', async () => {
		expect(await sent(inRows(ROW, { ...ROW, page: 2 }))).toEqual([
			PLACE,
			{ ...PLACE, page_number: 1 },
		]);
	});
});

describe('designations that can not be used are refused before anything is sent', () => {
	const first = "'Designations (JSON)', entry 1: ";
	const second = "'Designations (JSON)', entry 2: ";
	test.each<[string, IDataObject, string]>([
		['an object instead of a list', inJson({}), "'Designations (JSON)' must be a JSON array"],
		['nothing among them', inJson([PLACE, null]), `${second}must be an object`],
		...[null, '  ', {}].map((signer): [string, IDataObject, string] => [
			`the signer ${JSON.stringify(signer)}`,
			inJson([{ ...PLACE, signer_identifier: signer }]),
			`${first}"signer_identifier" is missing`,
		]),
		['no type', inJson([{ ...PLACE, type: '' }]), `${first}"type" is missing`],
		[
			'an optional one of the notary',
			inJson([{ ...PLACE, signer_identifier: 'notary', optional: true }]),
			`${first}is optional and the notary's`,
		],
		[
			'an optional one in a group',
			inJson([
				{ ...PLACE, type: 'checkmark', optional: true, signing_designation_group: 'either-or' },
			]),
			`${first}is optional and in a group`,
		],
		...['left', '  ', null, true, -1, [1]].map((x): [string, IDataObject, string] => [
			`a place ${JSON.stringify(x)}`,
			inJson([{ ...PLACE, x }]),
			`${first}"x" is not a number from 0 on`,
		]),
		[
			'a width of nothing',
			inJson([{ ...PLACE, width: 0 }]),
			`${first}"width" is not a number above 0`,
		],
		[
			'a page between two',
			inJson([{ ...PLACE, page_number: 0.5 }]),
			`${first}"page_number" is not a number from 0 on`,
		],
		['no height', inJson([{ ...PLACE, height: undefined }]), `${first}"height" is missing`],
		['no page', inJson([{ ...PLACE, page_number: undefined }]), `${first}"page_number" is missing`],
		[
			'page 0 of a row',
			inRows(ROW, { ...ROW, page: 0 }),
			"'Designations', entry 2: 'Page' is not a number from 1 on",
		],
		[
			'no signer of a row',
			inRows({ ...ROW, signer_identifier: '' }),
			"'Designations', entry 1: 'Signer Name or ID' is missing",
		],
		[
			'a width of a row',
			inRows({ ...ROW, width: -1 }),
			"'Designations', entry 1: 'Width' is not a number above 0",
		],
		[
			'a condition on a designation that is not optional',
			inJson([BOX, { ...PLACE, y: 90, conditional_on_primary: 'box' }]),
			`${second}no optional designation has the identifier 'box'`,
		],
	])('%s', async (_name, more, expected) => {
		const asked = sandbox.requests.length;
		const said = await complaint(adding('tr_1', more));
		expect(said.slice(0, expected.length + 2)).toBe(`${expected}. `);
		expect(sandbox.requests.slice(asked).filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});
