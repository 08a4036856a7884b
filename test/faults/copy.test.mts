import type { INodeExecutionData } from 'n8n-workflow';

import { samplePdf } from '../../sandbox/data/samples.mts';
import { businessFile, closingFile, DEED } from '../support/createAndSend.mts';
import { id, toForm } from '../support/closing.mts';
import { storeFile, useBinaryMode } from '../support/engine.mts';
import { perform, startService } from '../support/faultMatrix/cell.mts';
import { findFault } from '../support/faultMatrix/faults.mts';
import type { FaultService } from '../support/faultService/service.mts';
import type { Platform } from '../support/faultService/types.mts';

/**
 * A sent transaction that is started over in four writes, each of which is refused, or done without an
 * answer. Run again by an execution that knows nothing of it, there is one copy with each document
 * once, and the old one is deleted once. The service's ledger judges.
 */

await useBinaryMode('filesystem');

const OPERATION = 'transaction/copy';
const REFUSED = findFault('http:status-422/before');
const CUT = findFault('network:reset-before-headers/after');
const DOWN = findFault('http:status-503-retry-in-10-years/before');
const LIMITS = { lookUpMs: 50, absentAfterMs: 50, lookUpPauseMs: 10 };
const EFFECTS = [
	'transaction.created',
	'document.added',
	'document.added',
	'transaction.deleted',
] as const;

/** An item with two files: the same content twice is two documents. */
async function makeItem(): Promise<INodeExecutionData> {
	const deed = (await samplePdf('deed-of-trust'))!;
	const pdf = async (name: string) => await storeFile(deed, name, 'application/pdf');
	const first = await pdf('Deed of Trust.pdf');
	return { json: {}, binary: { first, second: await pdf('Deed of Trust 2.pdf') } };
}

/** Sends a transaction with these documents. */
async function makeOld(service: FaultService, platform: Platform): Promise<string> {
	const file = { documentRules: DEED, then: 'send' };
	const parameters =
		platform === 'business'
			? businessFile({ ...file, ...toForm({ external_id: 'case-7001' }) })
			: closingFile({ ...file, ...toForm({ loan_number: '7001', paper_note_consent: true }) });
	const scene = { parameters, items: [await makeItem()] };
	const { error, items } = await perform(service, 'transaction/createAndSend', scene);
	if (error) throw error;
	service.forget();
	return String(items[0].json.transaction_id);
}

/** The item has the files: the double keeps no file that was sent. */
const sceneOf = async (platform: Platform, old: string, isDeleted: boolean) => ({
	parameters: {
		platform,
		transactionId: id(old),
		settingsNotShown: 'none',
		deleteOld: isDeleted,
	},
	items: [await makeItem()],
});

/** Strikes one write of the next run, by its number from 0. */
function strike(service: FaultService, number: number, blow: 'refused' | 'lost', isDown: boolean) {
	const struck = service.inject({
		fault: { ...(blow === 'lost' ? CUT : REFUSED), appliesTo: ({ write }) => write },
		after: number,
	});
	if (isDown)
		service.inject({
			fault: { ...DOWN, appliesTo: ({ write }) => !write && struck.struck > 0 },
			times: Infinity,
		});
	return struck;
}

const cells = (['realEstate', 'business'] as const).flatMap((platform) =>
	[true, false].flatMap((isDeleted) =>
		EFFECTS.slice(0, isDeleted ? 4 : 3).flatMap((kind, number) =>
			(['refused', 'lost'] as const).map((blow) => ({ platform, isDeleted, kind, number, blow })),
		),
	),
);
const effectsOf = (isDeleted: boolean) => EFFECTS.slice(0, isDeleted ? 4 : 3);

describe.each(cells)('$platform, deleted $isDeleted: write $number ($kind) is $blow', (cell) => {
	const { platform, isDeleted, number, blow } = cell;
	let service: FaultService;
	let scene: Awaited<ReturnType<typeof sceneOf>>;
	beforeEach(async () => {
		service = await startService();
		const old = await makeOld(service, platform);
		if (!isDeleted) service.state.cancel(old, ['status', 'detailedStatus']);
		scene = await sceneOf(platform, old, isDeleted);
	});
	afterEach(async () => {
		expect(service.effects.map(({ kind }) => kind)).toEqual(effectsOf(isDeleted));
		expect(service.problems).toEqual([]);
		await service.close();
	});

	test('run again', async () => {
		const struck = strike(service, number, blow, true);
		const stopped = await perform(service, OPERATION, scene, { limits: LIMITS });
		expect([stopped.error !== undefined, struck.struck]).toEqual([true, 1]);
		service.clearFaults();
		const { error, items } = await perform(service, OPERATION, scene);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ status: 'started' });
	});
	test('tried again', async () => {
		strike(service, number, blow, false);
		const { error } = await perform(service, OPERATION, scene, { limits: LIMITS, tries: 2 });
		expect(error).toBeUndefined();
	});
});
