import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { pdfItem, toForm } from '../support/closing.mts';
import { useBinaryMode } from '../support/engine.mts';
import { perform, stage } from '../support/faultMatrix/cell.mts';
import { statesOf } from '../support/faultMatrix/observe.mts';
import { faults } from '../support/faultService/faults/build.mts';
import type { FaultService } from '../support/faultService/service.mts';
import type { Platform, Target } from '../support/faultService/types.mts';

/**
 * Writes of one run that share the reference that a person gave, of which one is lost and wasn't
 * done: it isn't told as done with what another one made.
 */

await useBinaryMode('filesystem');

const creates = (path: RegExp) => (target: Target) =>
	target.method === 'POST' && path.test(target.path);
const DOCUMENTS = /\/documents$/;
const TRANSACTIONS = /\/transactions\/?$/;

/** Breaks the connection of the second of these writes before it's done. */
function loseSecond(service: FaultService, path: RegExp): void {
	const [fault] = faults('network', 'before', 'lost', creates(path), {
		cut: (wire) => wire.reset(),
	});
	service.inject({ fault, after: 1 });
}

/** Runs a scene's operation and gives what became of its items, and what was made. */
async function made(
	name: string,
	platform: Platform,
	disturb: (service: FaultService) => void,
	change: (items: INodeExecutionData[]) => Promise<INodeExecutionData[]> | INodeExecutionData[],
	parameters: IDataObject,
) {
	const { service, scene } = await stage(name, platform, 2);
	try {
		disturb(service);
		const items = await change(scene.items);
		const run = { parameters: { ...scene.parameters, ...parameters }, items };
		const outcome = await perform(service, name, run, { onError: 'continueRegularOutput' });
		const states = statesOf({ outcome, scene: { items } }).map(({ state }) => state);
		return { states: states.sort(), effects: service.effects.map(({ kind }) => kind) };
	} finally {
		await service.close();
	}
}

const PLATFORMS: Platform[] = ['realEstate', 'business'];

test.each(
	PLATFORMS.flatMap((platform) => [
		[platform, 'another name', ['Deed', 'Rider']] as const,
		[platform, 'the same name', ['Deed', 'Deed']] as const,
	]),
)('on %s, a document with %s', async (platform, _how, names) => {
	const { states, effects } = await made(
		'document/add',
		platform,
		(service) => loseSecond(service, DOCUMENTS),
		async ([{ json }]) => [
			await pdfItem('deed-of-trust', 'deed.pdf', { ...json, name: names[0] }),
			await pdfItem('closing-disclosure', 'rider.pdf', { ...json, name: names[1] }),
		],
		{ additionalFields: { tracking_id: 'ours-7' } },
	);
	expect(states).toEqual(['done', 'failed']);
	expect(effects).toEqual(['document.added']);
});

test.each(PLATFORMS)('on %s, files of one item with the same name', async (platform) => {
	const { states, effects } = await made(
		'document/add#all files',
		platform,
		(service) => loseSecond(service, DOCUMENTS),
		async ([{ json }]) => {
			const { binary: deed } = await pdfItem('deed-of-trust', 'Scan.pdf');
			const { binary: rider } = await pdfItem('closing-disclosure', 'Scan.pdf');
			return [{ json, binary: { deed: deed.data, rider: rider.data } }];
		},
		{ additionalFields: { tracking_id: 'ours-7' } },
	);
	expect(states).toEqual(['failed']);
	expect(effects).toEqual(['document.added']);
});

// They run one after the other, so that the first one is known when the second one is looked up.
test.each<[string, Platform]>([
	['transaction/create', 'business'],
	['transaction/createClosing', 'realEstate'],
])('%s, with the same name', async (scene, platform) => {
	const { states, effects } = await made(
		scene,
		platform,
		(service) => loseSecond(service, TRANSACTIONS),
		(items) => items.map((item) => ({ ...item, json: { ...item.json, name: 'Loan 17' } })),
		{ ...toForm({ external_id: 'loan-17' }) },
	);
	expect(states).toEqual(['done', 'failed']);
	expect(effects).toEqual(['transaction.created']);
});
