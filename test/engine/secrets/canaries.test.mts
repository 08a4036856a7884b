import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { CANARIES, textsIn } from '../../support/canaries/canaries.mts';
import {
	startEchoingService,
	type EchoingService,
	type Manner,
} from '../../support/canaries/echoingService.mts';
import { Search, type Place } from '../../support/canaries/search.mts';
import {
	credentialFor,
	listContext,
	NODE,
	accounts,
	runNode,
	useBinaryMode,
} from '../../support/engine.mts';
import { FIXTURES, OPERATION_NAMES } from '../../support/matrix/index.mts';
import { finishedClosing } from '../../support/matrix/scene.mts';
import { id } from '../../support/closing.mts';

/**
 * Secrets that are easy to find, at a service that repeats them wherever it can: where n8n keeps or
 * shows something, there is none of them, in no form and no part, except where the list of test/support/canaries/search.mts says so.
 */

const search = new Search('every operation, n8n-core');
let sandbox: Sandbox;
let service: EchoingService;
beforeAll(async () => {
	await useBinaryMode('filesystem');
	sandbox = await startSandbox({ filesOrigin: 'separate', processingMs: 0 });
	service = await startEchoingService(sandbox);
	search.readLog();
});
afterAll(async () => {
	search.write('engine');
	await service.close();
	await sandbox.close();
});

const credential = () =>
	credentialFor(service.url, {
		apiKey: CANARIES.apiKey,
		webhookSigningSecret: CANARIES.signingSecret,
	});

/** What the fixtures enter as secrets, and the canaries that take their places. */
const ENTERED: Array<[RegExp, string]> = [
	[/sesame-[13]$/, CANARIES.headerValue],
	[/sesame-[24]$/, CANARIES.enteredKey],
	[/sesame-5$/, CANARIES.clientSecret],
	[/sesame-4711$/, CANARIES.authorizationHeader],
	[/078-05-1120$/, CANARIES.socialSecurityNumber],
];
const withCanaries = (parameters: IDataObject): IDataObject =>
	JSON.parse(JSON.stringify(parameters), (_name, value: unknown) =>
		typeof value === 'string'
			? ENTERED.reduce((text, [entered, canary]) => text.replace(entered, canary), value)
			: value,
	) as IDataObject;

/** Runs the node and says which canaries are where they may not be. */
async function play(
	parameters: IDataObject,
	items: INodeExecutionData[] | undefined,
	node: Partial<INode> = {},
) {
	search.logged.length = 0;
	service.elsewhere.length = 0;
	sandbox.fileRequests.length = 0;
	accounts.clear();
	const staticData = {};
	const outcome = await runNode({ credential: credential(), parameters, items, node, staticData });
	const [last] = outcome.run.data.resultData.runData.Tested ?? [];
	const both = [...outcome.items, ...outcome.errorItems];
	const places: Omit<Record<Place, string>, 'lists'> = {
		outputs: textsIn(both.map(({ json }) => json)),
		files: textsIn(both.map(({ binary }) => binary)),
		// n8n puts the node on its errors, with what was entered in it.
		errors: `${textsIn([outcome.error, last?.error], ['parameters'])}\n\n${JSON.stringify(
			outcome.error ?? {},
			(name, value: unknown) => (name === 'parameters' ? undefined : value),
		)}`,
		hints: textsIn(last?.hints),
		// What was entered is part of the workflow; the outputs are searched above.
		'rest of the run': textsIn(outcome.run, ['parameters', 'runData', 'error']),
		log: search.logged.join('\n\n'),
		'static data': textsIn(staticData),
		'other host': [...service.elsewhere, textsIn(sandbox.fileRequests)].join('\n\n'),
	};
	return { outcome, finds: search.leaks(places) };
}

const BAD: Manner[] = ['refuse', 'refuseAtLength', 'complain', 'page', 'text', 'redirect'];
const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

test.each(OPERATION_NAMES)('%s', async (name) => {
	const { kind, build, everyField } = FIXTURES[name];
	const [resource, operation] = name.split('/');
	const played: Array<{ parameters: IDataObject; items?: INodeExecutionData[] }> = [];
	const found = new Set<string>();
	const note = (finds: string[], how: string) => {
		for (const find of finds) found.add(`${find}: ${how}`);
	};
	const run = async (fields: IDataObject, items?: INodeExecutionData[]) => {
		const parameters = withCanaries({
			...fields,
			resource,
			operation,
			simplify: false,
			output: 'raw',
		});
		played.push({ parameters, items });
		service.manner = 'echo';
		const { outcome, finds } = await play(parameters, items);
		// An echo doesn't process a new file, which is all that would show it.
		if (!/doesn't show what it did/.test(outcome.error?.message ?? ''))
			expect(outcome.error && textsIn(outcome.error, ['parameters'])).toBeUndefined();
		note(finds, 'echo');
		return outcome.items[0]?.json ?? {};
	};
	if (everyField === undefined) {
		const { parameters, items } = await build(sandbox);
		await run(parameters, items.slice(0, 1));
	} else await everyField(sandbox, run);
	const manners = kind === 'write' ? [...BAD, 'refuseWrites' as const] : BAD;
	for (const manner of manners) {
		service.manner = manner;
		for (const onError of ON_ERROR) {
			const { outcome, finds } = await play(played[0].parameters, played[0].items, { onError });
			note(finds, `${manner}, ${onError}`);
			// A service that complains may be believed that it is done.
			if (!['complain', 'text', 'refuseWrites'].includes(manner))
				expect([manner, outcome.error ?? textsIn(outcome.run)]).toEqual([
					manner,
					expect.anything(),
				]);
		}
	}
	expect([...found]).toEqual([]);
});

test('the name of a file, in n8n and in its store', async () => {
	const { transactionId, documentId } = await finishedClosing(sandbox);
	const { documents } = sandbox.world.transactions.get(transactionId)!;
	for (const document of documents) document.name = `Deed ${CANARIES.signingSecret}`;
	service.manner = 'echo';
	const { outcome, finds } = await play(
		{
			resource: 'document',
			operation: 'download',
			platform: 'realEstate',
			transactionId: id(transactionId),
			documentId: id(documentId),
			binaryPropertyName: 'data',
		},
		undefined,
	);
	expect(outcome.items[0].binary?.data.fileName).toBe('Deed.pdf');
	expect(finds).toEqual([]);
});

test.each<Manner>(['echo', 'refuse', 'complain', 'text', 'redirect'])(
	'the lists of the editor, at a service that answers with: %s',
	async (manner) => {
		const { transactionId } = await finishedClosing(sandbox);
		const { fields, documents } = sandbox.world.transactions.get(transactionId)!;
		fields.transaction_name = `Closing ${CANARIES.apiKey}`;
		for (const document of documents) document.name = `Deed ${CANARIES.apiKey}`;
		service.manner = manner;
		search.logged.length = 0;
		const methods = { ...NODE.methods!.listSearch, ...NODE.methods!.loadOptions } as Record<
			string,
			(this: unknown) => Promise<unknown>
		>;
		const parameters = { platform: 'realEstate', transactionId: id(transactionId) };
		for (const [name, load] of Object.entries(methods)) {
			const context = listContext({ credential: credential(), parameters });
			const list = await load.call(context).catch((error: unknown) => error);
			const leaks = search.leaks({
				lists: textsIn(list, ['parameters']),
				log: search.logged.join('\n\n'),
			});
			expect([name, leaks]).toEqual([name, []]);
		}
	},
);
