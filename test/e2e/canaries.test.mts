import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { failureReason, outputJson } from '../../host/clients/n8n/executionData.mts';
import { CREDENTIAL_TYPE } from '../../host/clients/n8n/names.mts';
import { inARow, ourNode, triggerNode, workflowInARow } from '../../host/clients/n8n/nodes.mts';
import { sandboxCredential } from '../../host/clients/sandboxApi.mts';
import { canariesIn, CANARIES } from '../support/canaries/canaries.mts';
import { startEchoingService, type EchoingService } from '../support/canaries/echoingService.mts';
import { writeFigures, type Figures } from '../support/canaries/figures.mts';
import { ADD_DOCUMENT, CLOSING, id, TITLE, toForm } from '../support/closing.mts';
import { startHost, type Host } from './support/host.mts';

/**
 * A real n8n that logs at debug level, at a service that repeats secrets wherever it can. Then n8n
 * is stopped, and everything that it has stored and written is searched.
 */

const { DatabaseSync } = createRequire(import.meta.url)(
	'node:sqlite',
) as typeof import('node:sqlite');

/** Where secrets are expected, and why. They are nowhere else. */
const EXPECTED: Array<{ canaries: string[]; place: RegExp; because: string }> = [
	{
		canaries: [
			'enteredKey',
			'clientSecret',
			'headerValue',
			'authorizationHeader',
			'socialSecurityNumber',
		],
		place: /^(workflow_entity|workflow_history)\.nodes$|^execution_data\.workflowData$/,
		because: 'a person has entered them in the node, so n8n stores them with the workflow',
	},
	{
		canaries: ['callback'],
		place: /^workflow_entity\.staticData$|^execution_data\.workflowData$/,
		because: 'the trigger recognizes calls by it (docs/trigger.md#whats-promised)',
	},
	{
		canaries: ['accessToken'],
		place: /^execution_data\.data$/,
		because:
			'links and tokens of signers are what a transaction holds (docs/security.md#what-is-never-shown)',
	},
];

let host: Host;
let service: EchoingService;
beforeAll(async () => {
	host = await startHost({ env: { N8N_LOG_LEVEL: 'debug' }, sandbox: { processingMs: 0 } });
	service = await startEchoingService(host.sandbox);
	host.credentials.signAndCloseApi = await host.api.credentials.save('Canaries', CREDENTIAL_TYPE, {
		...sandboxCredential(host.sandbox),
		baseUrl: service.url,
		apiKey: CANARIES.apiKey,
		webhookSigningSecret: CANARIES.signingSecret,
	});
});
afterAll(async () => {
	await service?.close();
	await host?.stop();
});

/** Publishes a workflow that starts with each event. */
async function publishTrigger(): Promise<string> {
	const { id: workflowId } = await host.api.workflows.save(
		inARow('Events', [triggerNode(host, { events: ['transaction.*'], output: 'raw' })]),
	);
	await host.api.workflows.publish(workflowId);
	return workflowId;
}

/** A closing with a document and an eNote, a webhook with secrets, and a refusal at the end. */
function closing() {
	const transactionId = id("={{ $('Create').item.json.transaction_id }}");
	const onClosing = { platform: 'realEstate', transactionId, output: 'raw' };
	const fileUrl = `${host.sandbox.url}/samples/deed-of-trust.pdf`;
	return workflowInARow('Closing', [
		ourNode(host, 'Create', {
			...CLOSING,
			output: 'raw',
			...toForm({ ...TITLE, paper_note_consent: true }),
		}),
		ourNode(host, 'Add', {
			...ADD_DOCUMENT,
			...onClosing,
			source: 'url',
			fileUrl,
			documentName: 'Deed',
			additionalFields: {
				authorization_header: `Authorization: Bearer ${CANARIES.authorizationHeader}`,
			},
		}),
		ourNode(host, 'Add eNote', {
			resource: 'enote',
			operation: 'add',
			...onClosing,
			source: 'url',
			fileUrl: `${host.sandbox.url}/samples/enote.xml`,
			enoteType: 'ENOTE',
			borrowers: {
				row: [{ first_name: 'J', last_name: 'B', ssn: CANARIES.socialSecurityNumber }],
			},
		}),
		ourNode(host, 'Send', {
			resource: 'transaction',
			operation: 'send',
			...onClosing,
			additionalFields: {},
		}),
		ourNode(host, 'Create webhook', {
			resource: 'webhook',
			operation: 'create',
			url: 'https://example.com/hook',
			events: ['notary.*'],
			additionalFields: {
				headers: { row: [{ name: 'X-Case', value: CANARIES.headerValue }] },
				signing_key: CANARIES.enteredKey,
				oauth_url: 'https://idp.example.com/token',
				oauth_client_id: 'closings',
				oauth_client_secret: CANARIES.clientSecret,
			},
		}),
		{
			...ourNode(host, 'Refused, continue', {
				resource: 'transaction',
				operation: 'get',
				...onClosing,
				transactionId: id('ot_refused'),
			}),
			onError: 'continueRegularOutput',
		},
		ourNode(host, 'Refused', {
			resource: 'transaction',
			operation: 'get',
			...onClosing,
			transactionId: id('ot_refused'),
		}),
	]);
}

/** Each column of each table, as one text. */
function databaseTexts(file: string): Array<[place: string, text: string]> {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const tables = database
			.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
			.all() as Array<{ name: string }>;
		return tables.flatMap(({ name }) => {
			const columns = new Map<string, string[]>();
			for (const row of database.prepare(`SELECT * FROM "${name}"`).all())
				for (const [column, value] of Object.entries(row)) {
					const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
					columns.set(column, [...(columns.get(column) ?? []), String(text)]);
				}
			return [...columns].map(([column, texts]): [string, string] => [
				`${name}.${column}`,
				texts.join('\n\n'),
			]);
		});
	} finally {
		database.close();
	}
}

test('n8n stores and logs no secret but those that are expected', async () => {
	const events = await publishTrigger();
	const [{ url }] = [...host.sandbox.world.webhooks.values()];
	const callback = new URL(url).searchParams.get('key')!;
	const { id: workflowId } = await host.api.workflows.save(closing());
	const execution = await host.api.executions.runToEnd(workflowId);
	expect(failureReason(execution)).toMatch(/^Refused:.*\*\*\*/);
	expect(JSON.stringify(outputJson(execution, 'Refused, continue'))).toMatch(/\*\*\*/);
	expect(outputJson(execution, 'Create webhook')).toHaveLength(1);
	const deliveries = await host.api.executions.waitForFinished(events, 2);
	expect(deliveries.map(failureReason)).toEqual(deliveries.map(() => ''));
	expect(outputJson(deliveries[0], 'Events')[0]).toMatchObject({ confirmed: true });
	await host.n8n.stop();

	const { userFolder } = host.n8n;
	const databaseFile = join(userFolder, '.n8n', 'database.sqlite');
	const columns = databaseTexts(databaseFile);
	const files = readdirSync(userFolder, { recursive: true })
		.map(String)
		.filter(
			(entry) =>
				// The installed package has no canary, and it is large.
				!/node_modules|\.cache|database\.sqlite/.test(entry) &&
				statSync(join(userFolder, entry)).isFile(),
		)
		.map((entry): [string, string] => [
			entry,
			`${entry}\n${readFileSync(join(userFolder, entry), 'latin1')}`,
		]);
	const log = host.n8n.log();
	const figures: Figures = {
		title: 'a real n8n',
		canaries: Object.keys(CANARIES).length + 1,
		places: {
			'columns of the database': columns.length,
			files: files.length,
			log: 1,
			'other host': 1,
		},
		bytes: 0,
		expected: 0,
		leaks: 0,
	};
	const leaks: string[] = [];
	const met = new Set<number>();
	for (const [place, text] of [
		...columns,
		...files,
		['log', log] as const,
		['other host', service.elsewhere.join('\n')] as const,
	]) {
		figures.bytes += text.length;
		for (const canary of canariesIn(text, { callback })) {
			const entry = EXPECTED.findIndex(
				(each) => each.canaries.includes(canary) && each.place.test(place),
			);
			met.add(entry);
			figures[entry < 0 ? 'leaks' : 'expected'] += 1;
			if (entry < 0) leaks.push(`${canary} in ${place}`);
		}
	}
	// What a table has no longer, the file may still have.
	const raw = readFileSync(databaseFile, 'latin1');
	figures.bytes += raw.length;
	for (const canary of canariesIn(raw))
		if (['apiKey', 'signingSecret'].includes(canary))
			leaks.push(`${canary} in the database's file`);
	writeFigures('n8n', figures);
	expect(leaks).toEqual([]);
	expect([...met].sort()).toEqual(EXPECTED.map((_entry, index) => index));
	// It was searched: the log at its level, the event log, the tables with executions.
	expect(log).toMatch(/\| debug \|/);
	expect(files.map(([entry]) => entry).join()).toMatch(/n8nEventLog.*\.log/);
	expect(columns.map(([place]) => place)).toContain('execution_data.data');
});
