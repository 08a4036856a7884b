import type { IDataObject } from 'n8n-workflow';

import { businessFile, closingFile, withFiles } from '../support/createAndSend.mts';
import { id as locator, toForm } from '../support/closing.mts';
import { useBinaryMode } from '../support/engine.mts';
import { perform, startService } from '../support/faultMatrix/cell.mts';
import { findFault } from '../support/faultMatrix/faults.mts';
import type { FaultService } from '../support/faultService/service.mts';
import type { Platform } from '../support/faultService/types.mts';

/**
 * Papers of a sent transaction that are replaced in four writes, each of which is refused, or done without
 * an answer. Run again by an execution that knows nothing of it, each document is there once, no old one
 * was sent, and it's sent again once. The service's ledger judges.
 */

await useBinaryMode('filesystem');

const REFUSED = findFault('http:status-422/before');
const CUT = findFault('network:reset-before-headers/after');
const DOWN = findFault('http:status-503-retry-in-10-years/before');
const LIMITS = { lookUpMs: 50, absentAfterMs: 50, lookUpPauseMs: 10 };
const EFFECTS = ['transaction.recalled', 'document.added', 'document.deleted', 'transaction.sent'];
const FILES = { 'Deed.pdf': '%deed', 'Note.pdf': '%note' };
const RULES = {
	row: [
		{ nameContains: 'Deed', requirement: 'notarization', whereToSign: 'rows' },
		{ nameContains: 'Note', requirement: 'notarization', whereToSign: 'rows' },
	],
};

const cells = (['realEstate', 'business'] as const).flatMap((platform) =>
	EFFECTS.flatMap((kind, number) =>
		(['refused', 'lost'] as const).map((blow) => ({ platform, kind, number, blow })),
	),
);

describe.each(cells)('$platform: write $number ($kind) is $blow', ({ platform, number, blow }) => {
	let service: FaultService;
	let parameters: IDataObject;
	let made: number;
	beforeEach(async () => {
		service = await startService();
		const scene = await sentScene(platform);
		const { error, items } = await perform(service, 'transaction/createAndSend', scene);
		expect(error).toBeUndefined();
		made = service.effects.length;
		parameters = {
			...{ resource: 'transaction', operation: 'replaceDocuments', platform },
			transactionId: locator(String(items[0].json.transaction_id)),
			...{
				documentRules: RULES,
				enote: {},
				thenReplace: 'send',
				evenIfSent: true,
				additionalFields: {},
			},
		};
	});
	afterEach(async () => {
		const kinds = service.effects.slice(made).map(({ kind }) => kind);
		expect(kinds.sort()).toEqual([...EFFECTS].sort());
		expect(service.problems).toEqual([]);
		await service.close();
	});
	const replace = async (more: object = {}) =>
		await perform(
			service,
			'transaction/replaceDocuments',
			{ parameters, ...(await withFiles({ ...FILES, 'Note.pdf': '%new' })) },
			more,
		);
	const strike = (isDown: boolean) => {
		const isWrite = ({ write }: { write: boolean }) => write;
		const fault = { ...(blow === 'lost' ? CUT : REFUSED), appliesTo: isWrite };
		const struck = service.inject({ fault, after: number });
		const isLook = ({ write }: { write: boolean }) => !write && struck.struck > 0;
		if (isDown) service.inject({ fault: { ...DOWN, appliesTo: isLook }, times: Infinity });
		return struck;
	};

	test('and run again', async () => {
		const struck = strike(true);
		const stopped = await replace({ limits: LIMITS });
		expect([stopped.error !== undefined, struck.struck]).toEqual([true, 1]);
		service.clearFaults();
		expect((await replace()).error).toBeUndefined();
	});
	test('and tried again', async () => {
		strike(false);
		expect((await replace({ limits: LIMITS, tries: 2 })).error).toBeUndefined();
	});
});

async function sentScene(platform: Platform) {
	const build = platform === 'business' ? businessFile : closingFile;
	const number = platform === 'business' ? 'external_id' : 'loan_number';
	const parameters = build({
		documentRules: RULES,
		then: 'send',
		...toForm({ [number]: '7001', paper_note_consent: true }),
	});
	return { parameters, ...(await withFiles(FILES)) };
}
