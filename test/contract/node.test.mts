import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';

import { operations } from '../../nodes/SignAndClose/operations/index.ts';
import type { LoggedRequest } from '../../sandbox/http/requestLog.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { useBinaryMode } from '../support/engine.mts';
import { playEverything } from '../support/playEverything.mts';
import { ENDPOINT_LIST, endpointOf, fieldPaths } from '../support/listedInterface.mts';

/**
 * The list of endpoints and fields has a home in the node: its operations ask each endpoint, send
 * each field, and hand on each field of the answers.
 */

let sandbox: Sandbox;
let requests: LoggedRequest[];
const outputs: Record<string, IDataObject[]> = {};
beforeAll(async () => {
	await useBinaryMode('filesystem');
	requests = [];
	for (const pathLayout of ['documented', 'current']) {
		sandbox = await startSandbox();
		const played = await playEverything(sandbox, { pathLayout });
		for (const [name, list] of Object.entries(played.outputs)) (outputs[name] ??= []).push(...list);
		requests.push(...sandbox.requests);
		expect(sandbox.problems).toEqual([]);
		await sandbox.close();
	}
});
afterAll(async () => await sandbox.close());

const asked = ENDPOINT_LIST.filter(({ node }) => node !== undefined);

test('every operation was played', () => {
	const played = new Set(Object.keys(outputs));
	const pictures = 'notarizationRecord/downloadIdentityImages';
	const final = 'document/download';
	expect(
		operations
			.map(({ resource, value }) => `${resource}/${value}`)
			.filter((name) => !played.has(name))
			.sort(),
	).toEqual([final, pictures]);
});

test.each(ENDPOINT_LIST.filter(({ instead }) => instead === undefined))(
	'$title is asked',
	({ title, link, mark }) => {
		const own = requests.filter(({ method, path }) => endpointOf(method, path)?.title === title);
		expect([title, link, mark, own.length > 0]).toEqual([title, link, mark, true]);
	},
);

describe.each(asked)('$title', ({ title, query, body }) => {
	test('every field is sent by an operation', () => {
		const own = requests.filter(({ method, path }) => endpointOf(method, path)?.title === title);
		const sent = new Set(
			own.flatMap((request) => [...Object.keys(request.query), ...fieldPaths(request.body)]),
		);
		const wanted = [...query, ...body]
			.filter(({ notSent }) => notSent === undefined)
			.map(({ path }) => path);
		expect(wanted.filter((path) => !sent.has(path))).toEqual([]);
	});
});

/**
 * Where the fields of an answer come out of the node; `inside` is the part of an answer that makes
 * the items.
 */
const OUT: Record<string, { operation: string; inside?: string }> = {
	Transaction: { operation: 'transaction/get' },
	TransactionList: { operation: 'transaction/getAll', inside: 'data[].' },
	Document: { operation: 'document/getAll' },
	DocumentWithContent: { operation: 'document/get' },
	NotarizationRecord: { operation: 'notarizationRecord/get' },
	RecordList: { operation: 'notarizationRecord/getAll', inside: 'records[].' },
	'each RecordingJurisdiction': { operation: 'recordingJurisdiction/getAll', inside: '[].' },
	'each Agency': { operation: 'titleAgency/getAll', inside: '[].' },
	UnderwriterAnswer: { operation: 'underwriter/getAll', inside: 'eligible_title_underwriters[].' },
	TemplateList: { operation: 'template/getAll', inside: 'templates[].' },
	'each Notary': { operation: 'notary/getAll', inside: '[].' },
	'each Webhook': { operation: 'webhook/getAll', inside: '[].' },
	Webhook: { operation: 'webhook/get' },
	'each EventRecord': { operation: 'webhook/getEvents', inside: '[].' },
	'each Document': { operation: 'document/getAll', inside: '[].' },
};
/** Answers that say no more than that it is done: the operation says it in its own words. */
const BARE = ['Message', 'Updated', 'Deleted', 'EventTypes'];

describe('every field of an answer is handed on', () => {
	const types = [
		...new Set(asked.map(({ answerType }) => answerType).filter((type) => type !== undefined)),
	];
	test('each kind of answer has its way out', () => {
		expect(types.filter((type) => !BARE.includes(type) && OUT[type] === undefined)).toEqual([]);
	});
	test.each(types.filter((type) => OUT[type] !== undefined))('%s', (type) => {
		const { operation, inside = '' } = OUT[type];
		const { answer } = asked.find(({ answerType }) => answerType === type)!;
		const given = new Set(outputs[operation].flatMap((json) => fieldPaths(json)));
		const wanted = answer
			.map(({ path }) => path)
			.filter((path) => path.startsWith(inside))
			.map((path) => path.slice(inside.length));
		expect(wanted.length).toBeGreaterThan(0);
		expect(wanted.filter((path) => !given.has(path))).toEqual([]);
	});
});
