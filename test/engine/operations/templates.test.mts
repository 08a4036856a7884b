import { beforeEach, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { ADD_DOCUMENT, id } from '../../support/closing.mts';
import { listContext, NODE } from '../../support/engine.mts';
import { complaint, lastBody, run } from '../../support/operations.mts';
import { credential, sandbox, useSandbox } from '../../support/useSandbox.mts';

/** Templates of a live service, whose permalinks are short texts instead of URLs. */

useSandbox();

/** As a live service lists them (docs/service/documents.md#templates). */
const TEMPLATES = {
	total_count: 2,
	templates: [
		{ id: 'od9z8y7x6', name: 'Power of attorney', permalink: 'power-of-attorney' },
		{ id: 'od1a2b3c4', name: 'General affidavit', permalink: 'general-affidavit-2' },
	],
};
const SLUG = 'general-affidavit-2';
beforeEach(() => {
	sandbox.faults.add({
		method: 'GET',
		path: /templates$/,
		status: 200,
		body: TEMPLATES,
		times: Infinity,
	});
});

describe('the list of templates', () => {
	const search = async (filter: string) => {
		const { searchTemplates } = NODE.methods!.listSearch as unknown as Record<
			string,
			(this: unknown, filter: string) => Promise<{ results: IDataObject[] }>
		>;
		const parameters = { resource: 'document', operation: 'add', source: 'template' };
		const context = listContext({ credential: credential(), parameters });
		return (await searchTemplates.call(context, filter)).results;
	};
	test.each(['general', 'od1a2b3c4', SLUG])('finds one by %s', async (filter) => {
		expect(await search(filter)).toEqual([{ name: 'General affidavit', value: SLUG }]);
	});
});

describe('Document: Add with a template', () => {
	const add = { ...ADD_DOCUMENT, transactionId: id('ot_1'), source: 'template' };
	beforeEach(() => {
		sandbox.faults.add({
			method: 'POST',
			path: /documents$/,
			status: 200,
			body: [{ id: 'do_1', document_name: 'General affidavit', requirement: 'notarization' }],
		});
	});
	test.each([
		['chosen from the list', { __rl: true, mode: 'list', value: SLUG }],
		['by permalink', id(SLUG)],
		['by ID', id('od1a2b3c4')],
		['by an ID with an underscore', id('od_1a2b3c4')],
	])('%s sends its permalink', async (_name, templateId) => {
		await run({ ...add, templateId });
		expect(lastBody()).toMatchObject({ resource: SLUG, requirement: 'notarization' });
	});
	test('one that is not there is reported before a document is added', async () => {
		sandbox.requests.length = 0;
		expect(await complaint({ ...add, templateId: id('general-affidavit') })).toMatch(
			/'Template' general-affidavit was not found.*permalink/,
		);
		expect(sandbox.requests.map(({ method }) => method)).toEqual(['GET']);
	});
});
