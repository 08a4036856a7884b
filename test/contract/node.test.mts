import { beforeAll, describe, expect, test } from '@jest/globals';

import { startSandbox } from '../../sandbox/index.mts';
import { useBinaryMode } from '../support/engine.mts';
import { OPERATION_NAMES } from '../support/matrix/index.mts';
import { playEverything, type PlayedRun } from '../support/playEverything.mts';
import {
	ENDPOINT_LIST,
	endpointOf,
	fieldPaths,
	type ListedEndpoint,
} from '../support/listedInterface.mts';

/**
 * The list of endpoints and fields has a home in the node: its operations ask each endpoint, send
 * each field, and hand on each field of the answers.
 */

const runs: PlayedRun[] = [];
let failure: unknown;
beforeAll(async () => {
	try {
		await useBinaryMode('filesystem');
		for (const pathLayout of ['documented', 'current']) await playInLayout(pathLayout);
	} catch (thrown) {
		// A failure of this hook would be printed for every test; the first test reports it once.
		failure = thrown;
	}
});

async function playInLayout(pathLayout: string): Promise<void> {
	const sandbox = await startSandbox();
	try {
		runs.push(...(await playEverything(sandbox, { pathLayout })));
		expect(sandbox.problems).toEqual([]);
	} finally {
		await sandbox.close();
	}
}

/** All runs, once every operation was played in both layouts. */
function played(): PlayedRun[] {
	if (failure !== undefined) throw oneLineError('Nothing was played: see the first test');
	return runs;
}

/** An error that Jest prints without a stack and an excerpt of this file. */
function oneLineError(message: string): Error {
	const error = new Error(message);
	error.stack = message;
	return error;
}

/** The requests that operations sent to an endpoint. */
const requestsTo = (title: string) =>
	played()
		.flatMap(({ requests }) => requests)
		.filter(({ method, path }) => endpointOf(method, path)?.title === title);
const asked = ENDPOINT_LIST.filter(({ node }) => node !== undefined);

test('every operation can be run with all of its fields, in both layouts', () => {
	if (failure !== undefined) throw failure;
});

test('every operation was played', () => {
	const names = new Set(played().map(({ operation }) => operation));
	expect(OPERATION_NAMES.filter((name) => !names.has(name))).toEqual([]);
});

test.each(ENDPOINT_LIST.filter(({ instead }) => instead === undefined))(
	'$title is asked',
	({ title }) => {
		if (requestsTo(title).length === 0)
			throw oneLineError(
				`No operation asks ${title}. Run it on this platform too, in everyField of its fixture (example: test/fixtures/transaction/get.fixture.mts)`,
			);
	},
);

describe.each(asked)('$title', ({ title, query, body }) => {
	test('every field is sent by an operation', () => {
		const sent = new Set(
			requestsTo(title).flatMap(({ query, body }) => [...Object.keys(query), ...fieldPaths(body)]),
		);
		const wanted = [...query, ...body]
			.filter(({ leftOut }) => leftOut === undefined)
			.map(({ path }) => path);
		expect(wanted.filter((path) => !sent.has(path))).toEqual([]);
	});
});

/**
 * The operation that hands on every field of an answer, where others hand on only a part of it.
 * The fields of any other answer may come out of any operation that gets it.
 */
const WHOLE: Record<string, string> = {
	Transaction: 'transaction/get',
	TransactionList: 'transaction/getAll',
	Document: 'document/getAll',
	DocumentWithContent: 'document/get',
	NotarizationRecord: 'notarizationRecord/get',
	RecordList: 'notarizationRecord/getAll',
	'each RecordingJurisdiction': 'recordingJurisdiction/getAll',
	'each Agency': 'titleAgency/getAll',
	UnderwriterAnswer: 'underwriter/getAll',
	TemplateList: 'template/getAll',
	'each Notary': 'notary/getAll',
	'each Webhook': 'webhook/getAll',
	Webhook: 'webhook/get',
	'each EventRecord': 'webhook/getEvents',
	'each Document': 'document/getAll',
};

describe('every field of an answer is handed on', () => {
	/** The fields of an answer that an output item should have. */
	const wantedOf = ({ answer, answerType, items }: ListedEndpoint): string[] => {
		const inside =
			items !== undefined ? `${items}[].` : answerType!.startsWith('each ') ? '[].' : '';
		return answer
			.filter(({ path, leftOut }) => path.startsWith(inside) && leftOut === undefined)
			.map(({ path }) => path.slice(inside.length));
	};
	const answers = asked.filter(
		(endpoint) => endpoint.answerType !== undefined && wantedOf(endpoint).length > 0,
	);
	const types = [...new Set(answers.map(({ answerType }) => answerType!))];
	test.each(types)('%s', (type) => {
		const gets = ({ requests }: PlayedRun) =>
			requests.some(({ method, path }) => endpointOf(method, path)?.answerType === type);
		const relevant = played().filter((run) =>
			WHOLE[type] === undefined ? gets(run) : run.operation === WHOLE[type],
		);
		const given = new Set(
			relevant.flatMap(({ output }) => output.flatMap((json) => fieldPaths(json))),
		);
		const wanted = answers
			.filter(({ answerType }) => answerType === type)
			.flatMap((endpoint) => wantedOf(endpoint));
		expect(wanted.filter((path) => !given.has(path))).toEqual([]);
	});
});
