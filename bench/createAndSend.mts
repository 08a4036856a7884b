import { createServer, request as forward } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { failureReason, outputJson } from '../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../host/clients/n8n/names.mts';
import { builtInNode, ourNode, workflowInARow } from '../host/clients/n8n/nodes.mts';
import type { WorkflowNode } from '../host/clients/n8n/types.mts';
import { sandboxCredential } from '../host/clients/sandboxApi.mts';
import { startN8n } from '../host/run/n8n.mts';
import { RUN_DIR } from '../scripts/runtime.mjs';
import { startSandbox } from '../sandbox/index.mts';
import { answerTime } from './answerTimes.mts';
import { CLOSING, locator, rows } from './parts.mts';
import { median } from './statistics.mts';
import { inTemporaryFolder } from './temporaryFolder.mts';

/**
 * Compares Transaction: Create and Send with the nodes that do the same one by one, for 30 rows with
 * three PDFs each: the time from the first of these nodes to the last, in one run, at a service whose
 * answers vary. Then the same rows run again, which have to add nothing. Run: node
 * bench/createAndSend.mts [--rounds 3] [--processing 2000], after npm start has installed everything.
 * Requests are counted without those for the sample files.
 */

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '3' },
		processing: { type: 'string', default: '2000' },
	},
});
const ROUNDS = Number(values.rounds);
const ROWS = 30;
const PROCESSING_MS = Number(values.processing);
const TIMES = { medianMs: 200, sigma: 0.6 };

/** Hands requests on to a service, and answers as late as a real one does, by the order of requests. */
async function startDistance(target: string, seed: number) {
	const takes = answerTime({ ...TIMES, seed });
	let count = 0;
	const server = createServer((incoming, outgoing) => {
		const late = wait(takes(count++, 1));
		const { method, headers, url } = incoming;
		const passed = forward(target + url, { method, headers }, (answer) => {
			void late.then(() => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			});
		});
		passed.on('error', () => outgoing.destroy());
		incoming.pipe(passed);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

const DOCUMENTS: Array<[file: string, name: string, requirement: string]> = [
	['deed-of-trust', 'Deed of Trust', 'notarization'],
	['borrower-affidavit', 'Borrower Affidavit', 'notarization'],
	['closing-disclosure', 'Closing Disclosure', 'readonly'],
];
const AT_TEXT = {
	whereToSign: 'text',
	texts: {
		row: [
			{
				text: 'Borrower Signature',
				signer_identifier: 'signer-1',
				type: 'signature',
				where: 'above',
			},
			{ text: 'Notary Seal', signer_identifier: 'notary', type: 'seal', where: 'above' },
		],
	},
};
const placesOf = (requirement: string) =>
	requirement === 'readonly' ? { whereToSign: 'nobody' } : AT_TEXT;

type Credentials = WorkflowNode['credentials'];
const ofRound = (round: string) => ({
	loan_number: `={{ "${round}-" + $('Split').item.json.row }}`,
});

function oneNode(credentials: Credentials, round: string): WorkflowNode[] {
	const { addressLine1, addressCity, addressState, addressZipCode, ...closing } = CLOSING;
	return [
		ourNode({ credentials }, 'Create and send', {
			...closing,
			operation: 'createAndSend',
			platform: 'realEstate',
			fieldsFrom: 'form',
			property: { row: { addressLine1, addressCity, addressState, addressZipCode } },
			matchBy: 'loan_number',
			documentRules: {
				row: DOCUMENTS.map(([, nameContains, requirement]) => ({
					nameContains,
					requirement,
					...placesOf(requirement),
				})),
			},
			then: 'send',
			additionalFields: {
				...CLOSING.additionalFields,
				...ofRound(round),
				paper_note_consent: true,
			},
		}),
	];
}

function oneByOne(credentials: Credentials, round: string): WorkflowNode[] {
	const of = {
		platform: 'realEstate',
		transactionId: locator("={{ $('Create').item.json.transaction_id }}"),
	};
	return [
		ourNode({ credentials }, 'Create', {
			...CLOSING,
			transactionName: "={{ 'Refinance ' + $('Split').item.json.row }}",
			additionalFields: {
				...CLOSING.additionalFields,
				...ofRound(round),
				paper_note_consent: true,
				matchBy: 'loan_number',
				ifExists: 'return',
			},
		}),
		...DOCUMENTS.map(([file, documentName, requirement]) =>
			ourNode({ credentials }, `Add ${documentName}`, {
				resource: 'document',
				operation: 'add',
				...of,
				source: 'binary',
				binaryPropertyName: `={{ $('Fetch ${DOCUMENTS.at(-1)![0]}').item.binary['${file}'] }}`,
				documentName,
				requirement,
				...placesOf(requirement),
				additionalFields: { ifExists: 'skip', waitUntilProcessed: true },
			}),
		),
		ourNode({ credentials }, 'Send', {
			resource: 'transaction',
			operation: 'send',
			...of,
			additionalFields: { ifAlreadySent: 'return', checkFirst: true },
		}),
	];
}

await inTemporaryFolder(async (userFolder) => {
	const sandbox = await startSandbox({ processingMs: PROCESSING_MS });
	const n8n = await startN8n({ userFolder, tarball: join(RUN_DIR, 'package.tgz') });
	/** Runs nodes after the fetching of the files. */
	const run = async (make: typeof oneNode, round: string, seed: number) => {
		await using distance = await startDistance(sandbox.url, seed);
		const credential = await n8n.api.credentials.save('Bench', CREDENTIAL_TYPE, {
			...sandboxCredential(sandbox),
			baseUrl: distance.url,
		});
		const measured = make({ [CREDENTIAL_TYPE]: credential }, round);
		const fetches = DOCUMENTS.map(([file]) =>
			builtInNode(`Fetch ${file}`, 'httpRequest', 4.2, {
				url: `${sandbox.url}/samples/${file}.pdf`,
				options: { response: { response: { responseFormat: 'file', outputPropertyName: file } } },
			}),
		);
		const numbers = Array.from({ length: ROWS }, (_, index) => 1000 + index);
		const { id } = await n8n.api.workflows.save(
			workflowInARow('Rows with files', [...rows(numbers), ...fetches, ...measured]),
		);
		sandbox.requests.length = 0;
		const execution = await n8n.api.executions.runToEnd(id, 600_000, 500);
		if (execution.status !== 'success') throw new Error(failureReason(execution));
		const { runData } = execution.data.resultData;
		const ended = outputJson(execution, measured.at(-1)!.name).length;
		if (ended !== ROWS) throw new Error(`${ended} of ${ROWS} rows came out`);
		const times = measured.map(({ name }) => runData[name][0].executionTime ?? NaN);
		const requests = sandbox.requests.filter(({ path }) => !path.includes('/samples/'));
		return {
			seconds: times.reduce((sum, one) => sum + one, 0) / 1000,
			requests: requests.length / ROWS,
			writes: requests.filter(({ method }) => method !== 'GET').length / ROWS,
		};
	};
	try {
		// The first run of each only warms up.
		for (const make of [oneNode, oneByOne]) await run(make, `warm-${make.name}`, 1);
		const all: Record<string, Array<Awaited<ReturnType<typeof run>>>> = {};
		for (let round = 1; round <= ROUNDS; round++)
			for (const make of [oneByOne, oneNode])
				for (const time of ['first', 'again'])
					(all[`${make.name}, ${time}`] ??= []).push(
						await run(make, `${round}-${make.name}`, round),
					);
		const middle = (key: string, what: 'seconds' | 'requests' | 'writes') =>
			median(all[key].map((one) => one[what]));
		const print = (...cells: string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
		print('', 'Time', 'Requests a closing', 'Writes a closing');
		print('---', '---', '---', '---');
		for (const key of Object.keys(all))
			print(
				key,
				`${middle(key, 'seconds').toFixed(1)} s`,
				middle(key, 'requests').toFixed(1),
				middle(key, 'writes').toFixed(1),
			);
		const ratio = (one: string, other: string) =>
			(middle(one, 'seconds') / middle(other, 'seconds')).toFixed(2);
		print('One node / one by one', ratio('oneNode, first', 'oneByOne, first'), '', '');
		print('Again / first', ratio('oneNode, again', 'oneNode, first'), '', '');
	} finally {
		await n8n.stop();
		await sandbox.close();
	}
});
