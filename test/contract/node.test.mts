import { startSandbox } from '../../sandbox/index.mts';
import { useBinaryMode } from '../support/engine.mts';
import { perform, stage } from '../support/faultMatrix/cell.mts';
import { inForm } from '../support/faultMatrix/faults.mts';
import { SCENES } from '../support/faultMatrix/scenes.mts';
import { altered, faults, isJson } from '../support/faultService/faults/build.mts';
import {
	answerSchemaOf,
	ENDPOINT_LIST,
	endpointOf,
	fieldPaths,
} from '../../scripts/generated/listedInterface.mts';
import { forEachCase } from '../support/forEachCase.mts';
import { OPERATION_NAMES } from '../support/matrix/index.mts';
import { playEverything, type PlayedRun } from './playEverything.mts';

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
const asked = ENDPOINT_LIST.filter(
	({ node, fallback }) => node !== undefined && fallback === undefined,
);

test('every operation can be run with all of its fields, in both layouts', () => {
	if (failure !== undefined) throw failure;
});

test('every operation was played', () => {
	const names = new Set(played().map(({ operation }) => operation));
	expect(OPERATION_NAMES.filter((name) => !names.has(name))).toEqual([]);
});

test.each(
	ENDPOINT_LIST.filter(({ instead, fallback }) => instead === undefined && fallback === undefined),
)('$title is asked', ({ title }) => {
	if (requestsTo(title).length === 0)
		throw oneLineError(
			`No operation asks ${title}. Run it on this platform too, in everyField of its fixture (example: test/fixtures/transaction/get.fixture.mts)`,
		);
});

describe.each(asked)('$title', ({ title, query, body }) => {
	test('every field is sent by an operation', () => {
		const sent = new Set(
			requestsTo(title).flatMap(({ query, body }) => [...Object.keys(query), ...fieldPaths(body)]),
		);
		// A field of a signer may be sent in `signer` or in `signers`, by its key it's the same one.
		const fields = [...query, ...body];
		const keys = new Set(fields.filter(({ path }) => sent.has(path)).map(({ key }) => key));
		const missing = fields.filter(({ leftOut, key }) => leftOut === undefined && !keys.has(key));
		expect([...new Set(missing.map(({ key }) => key))]).toEqual([]);
	});
});

/** Operations that hand on all that the service answers, when the output isn't simplified. */
const WHOLE = [
	'address/verify',
	'document/getAll',
	'document/get',
	'notarizationRecord/get',
	'notarizationRecord/getAll',
	'notary/get',
	'notary/getAll',
	'notary/getEligible',
	'recordingJurisdiction/getAll',
	'signer/getAll',
	'template/getAll',
	'titleAgency/getAll',
	'transaction/get',
	'transaction/getAll',
	'underwriter/getAll',
	'webhook/get',
	'webhook/getAll',
	'webhook/getEvents',
];

/** Operations whose items are inside of the answer. */
const INSIDE: Record<string, string> = {
	'document/getAll': 'documents',
	'signer/getAll': 'signers',
};

/** The service answers with every field that the description has, each request of the run. */
describe('every field of an answer is handed on', () => {
	test.each(WHOLE)('%s', async (name) => {
		await forEachCase(SCENES[name].platforms, async (platform) => {
			const { service, scene } = await stage(name, platform, 1);
			try {
				const answers: unknown[] = [];
				const noted = altered((value, { method, path }) => {
					const { items: entries, title } = endpointOf(method, path.split('?')[0])!;
					const full = inForm('all', answerSchemaOf(method, path), value);
					// What is undefined doesn't leave.
					const answer = JSON.parse(JSON.stringify(full));
					const inside = INSIDE[name] ?? entries;
					if (!title.endsWith('/organization')) answers.push(inside ? answer[inside] : answer);
					return answer;
				});
				const [fault] = faults('described', 'after', 'odd', isJson, { noted });
				service.inject({ fault, times: Infinity });
				const whole = { simplify: false, output: 'raw', content: 'base64' };
				const parameters = { ...scene.parameters, ...whole };
				const { items, error } = await perform(service, name, { ...scene, parameters });
				expect(error).toBeUndefined();
				const given = new Set(items.flatMap(({ json }) => fieldPaths(json)));
				const wanted = answers
					.map((answer) => fieldPaths(answer))
					// The last page of a list may be empty.
					.findLast((fields) => fields.length > 1)!
					.map((field) => field.replace(/^\[\]\./, ''));
				expect(wanted.filter((field) => !given.has(field))).toEqual([]);
			} finally {
				await service.close();
			}
		});
	});
});
