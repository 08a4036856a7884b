import { readFile } from 'node:fs/promises';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, createClosing, id } from '../../support/closing.mts';
import { complaint, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** At a Text in papers as offices have them: each in a small file, with what a row finds there. */

useSandbox();

interface Expectation {
	file: string;
	row: IDataObject;
	/** Page from 1, x and y of the places. */
	places?: number[][];
	/** A part of what a person reads. */
	refused?: string;
}

const PAPERS = new URL('../../fixtures/papers/', import.meta.url);
const expectations = JSON.parse(
	await readFile(new URL('at-text.json', PAPERS), 'utf8'),
) as Expectation[];

test.each(expectations)('$file: $row', async ({ file, row, places, refused }) => {
	const bytes = await readFile(new URL(`${file}.pdf`, PAPERS));
	const parameters = {
		...ADD_DOCUMENT,
		transactionId: id(await createClosing(credential())),
		source: 'base64',
		fileBase64: bytes.toString('base64'),
		documentName: 'Paper',
		whereToSign: 'text',
		texts: {
			row: [{ signer_identifier: 'borrower-1', width: 50, height: 10, where: 'on', ...row }],
		},
	};
	if (refused !== undefined) {
		expect(await complaint(parameters)).toContain(refused);
		return;
	}
	await run(parameters);
	const { body } = sandbox.requests.filter(({ method }) => method === 'POST').at(-1)!;
	const sent = (body as IDataObject).signing_designations as IDataObject[];
	expect(sent.map(({ page_number: page, x, y }) => [Number(page) + 1, x, y])).toEqual(places);
});
